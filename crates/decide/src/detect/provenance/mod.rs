//! Where things come from and where they go: downloads, copies, packages, and what tools take in from outside.

pub(super) mod applied;
pub(super) mod flow;
pub(super) mod mirrors;
pub(super) mod obeyed;
pub(super) mod origin;
pub(super) mod outputs;
pub(super) mod outside;
pub(super) mod sources;
