"""Every attack, by family."""

import attacks_commands
import attacks_environment
import attacks_files
import attacks_processes
import attacks_programs
import attacks_scripts
import attacks_tools

FAMILIES = [
    *attacks_files.FAMILIES, *attacks_tools.FAMILIES, *attacks_scripts.FAMILIES, *attacks_processes.FAMILIES,
    *attacks_programs.FAMILIES, *attacks_commands.FAMILIES, *attacks_environment.FAMILIES,
]


def every():
    """All attacks in order; a name that is there twice is a mistake."""
    found = [attack for family in FAMILIES for attack in family.attacks]
    names = [attack.name for attack in found]
    if len(set(names)) != len(names):
        raise ValueError(f"names that are there twice: {sorted({name for name in names if names.count(name) > 1})}")
    return found


def by_name():
    return {attack.name: attack for attack in every()}
