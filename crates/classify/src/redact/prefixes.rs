//! Tokens that can be told by how they begin: one flat table, and the forms that need more than a beginning.

use super::bytes::{Pairs, at, has_digit, is_name, part, rest, skip};

/// What follows the beginning of a token.
#[derive(Clone, Copy)]
enum Tail {
    /// Letters, digits, `_` and `-`.
    Word,
    /// As [`Tail::Word`], with `.` too.
    Dotted,
    /// As [`Tail::Dotted`], with `+`, `/` and `=` too.
    Base64,
    /// Letters and digits, one of them a digit.
    Mixed,
    /// Hexadecimal digits.
    Hex,
    /// Capital letters and digits.
    Capitals,
}

impl Tail {
    const fn passes(self, byte: u8) -> bool {
        match self {
            Tail::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Tail::Dotted => is_name(byte),
            Tail::Base64 => is_name(byte) || matches!(byte, b'+' | b'/' | b'='),
            Tail::Mixed => byte.is_ascii_alphanumeric(),
            Tail::Hex => byte.is_ascii_hexdigit(),
            Tail::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// A beginning, what follows it, how much of that at least, and what such a token is called.
type Row = (&'static str, Tail, usize, &'static str);

/// Sorted by nothing but the vendor; of several that fit, the longest beginning counts.
const TOKENS: &[Row] = &[
    ("AKIA", Tail::Capitals, 12, "aws-key"),
    ("ASIA", Tail::Capitals, 12, "aws-key"),
    ("ABIA", Tail::Capitals, 12, "aws-key"),
    ("ACCA", Tail::Capitals, 12, "aws-key"),
    ("AROA", Tail::Capitals, 16, "aws-key"),
    ("AIDA", Tail::Capitals, 16, "aws-key"),
    ("ABSKQmVkcm9ja0FQSUtleS", Tail::Base64, 10, "aws-key"),
    ("bedrock-api-key-", Tail::Base64, 16, "aws-key"),
    ("LTAI", Tail::Mixed, 12, "alibaba-key"),
    ("AKID", Tail::Mixed, 28, "tencent-key"),
    ("AQVN", Tail::Word, 30, "yandex-key"),
    ("AIza", Tail::Word, 30, "google-api-key"),
    ("ya29.", Tail::Dotted, 20, "google-token"),
    ("GOCSPX-", Tail::Word, 20, "google-client-secret"),
    ("1//0", Tail::Word, 24, "google-token"),
    ("ghp_", Tail::Mixed, 20, "github-token"),
    ("gho_", Tail::Mixed, 20, "github-token"),
    ("ghu_", Tail::Mixed, 20, "github-token"),
    ("ghs_", Tail::Dotted, 20, "github-token"),
    ("ghr_", Tail::Mixed, 20, "github-token"),
    ("github_pat_", Tail::Word, 20, "github-token"),
    ("glpat-", Tail::Dotted, 16, "gitlab-token"),
    ("gldt-", Tail::Word, 16, "gitlab-token"),
    ("glrt-", Tail::Dotted, 16, "gitlab-token"),
    ("glrtr-", Tail::Word, 16, "gitlab-token"),
    ("glcbt-", Tail::Word, 16, "gitlab-token"),
    ("glptt-", Tail::Word, 16, "gitlab-token"),
    ("glft-", Tail::Word, 16, "gitlab-token"),
    ("glsoat-", Tail::Word, 16, "gitlab-token"),
    ("glimt-", Tail::Word, 16, "gitlab-token"),
    ("glagent-", Tail::Word, 16, "gitlab-token"),
    ("gloas-", Tail::Word, 16, "gitlab-token"),
    ("glffct-", Tail::Word, 16, "gitlab-token"),
    ("GR1348941", Tail::Word, 16, "gitlab-token"),
    ("ATBB", Tail::Mixed, 24, "atlassian-token"),
    ("ATATT3", Tail::Base64, 40, "atlassian-token"),
    ("ATCTT3", Tail::Base64, 40, "atlassian-token"),
    ("xoxb-", Tail::Word, 10, "slack-token"),
    ("xoxp-", Tail::Word, 10, "slack-token"),
    ("xoxa-", Tail::Word, 10, "slack-token"),
    ("xoxr-", Tail::Word, 10, "slack-token"),
    ("xoxs-", Tail::Word, 10, "slack-token"),
    ("xoxo-", Tail::Word, 10, "slack-token"),
    ("xoxc-", Tail::Word, 10, "slack-token"),
    ("xoxd-", Tail::Base64, 10, "slack-token"),
    ("xoxe-", Tail::Word, 10, "slack-token"),
    ("xoxe.", Tail::Dotted, 10, "slack-token"),
    ("xapp-", Tail::Word, 10, "slack-token"),
    ("sk_live_", Tail::Word, 10, "stripe-key"),
    ("sk_test_", Tail::Word, 10, "stripe-key"),
    ("rk_live_", Tail::Word, 10, "stripe-key"),
    ("rk_test_", Tail::Word, 10, "stripe-key"),
    ("sk_prod_", Tail::Word, 10, "stripe-key"),
    ("whsec_", Tail::Base64, 16, "webhook-secret"),
    ("sk-ant-", Tail::Word, 16, "anthropic-key"),
    ("sk-proj-", Tail::Word, 16, "openai-key"),
    ("sk-svcacct-", Tail::Word, 16, "openai-key"),
    ("sk-admin-", Tail::Word, 16, "openai-key"),
    ("sk-None-", Tail::Word, 16, "openai-key"),
    ("sk-or-v1-", Tail::Hex, 24, "openrouter-key"),
    ("sk-lf-", Tail::Word, 16, "langfuse-key"),
    ("sk-", Tail::Mixed, 20, "openai-key"),
    ("sess-", Tail::Mixed, 30, "openai-key"),
    ("gsk_", Tail::Mixed, 30, "groq-key"),
    ("xai-", Tail::Mixed, 40, "xai-key"),
    ("pplx-", Tail::Mixed, 30, "perplexity-key"),
    ("r8_", Tail::Mixed, 30, "replicate-token"),
    ("hf_", Tail::Mixed, 20, "huggingface-token"),
    ("api_org_", Tail::Mixed, 24, "huggingface-token"),
    ("nvapi-", Tail::Word, 40, "nvidia-key"),
    ("lsv2_pt_", Tail::Word, 30, "langsmith-key"),
    ("lsv2_sk_", Tail::Word, 30, "langsmith-key"),
    ("pcsk_", Tail::Word, 40, "pinecone-key"),
    ("fw_", Tail::Mixed, 22, "fireworks-key"),
    ("csk-", Tail::Mixed, 40, "cerebras-key"),
    ("tvly-", Tail::Word, 24, "tavily-key"),
    ("npm_", Tail::Mixed, 30, "npm-token"),
    ("pypi-", Tail::Word, 30, "pypi-token"),
    ("rubygems_", Tail::Hex, 40, "rubygems-key"),
    ("oy2", Tail::Mixed, 43, "nuget-key"),
    ("cio", Tail::Mixed, 32, "crates-token"),
    ("dckr_pat_", Tail::Word, 20, "docker-token"),
    ("dckr_oat_", Tail::Word, 20, "docker-token"),
    ("AKCp", Tail::Mixed, 40, "artifactory-key"),
    ("cmVmdGtuOj", Tail::Base64, 40, "artifactory-key"),
    ("SG.", Tail::Dotted, 30, "sendgrid-key"),
    ("key-", Tail::Hex, 32, "mailgun-key"),
    ("xkeysib-", Tail::Word, 40, "brevo-key"),
    ("re_", Tail::Mixed, 22, "resend-key"),
    ("SK", Tail::Hex, 32, "twilio-key"),
    ("AC", Tail::Hex, 32, "twilio-key"),
    ("dop_v1_", Tail::Hex, 32, "digitalocean-token"),
    ("doo_v1_", Tail::Hex, 32, "digitalocean-token"),
    ("dor_v1_", Tail::Hex, 32, "digitalocean-token"),
    ("HRKU-", Tail::Word, 30, "heroku-key"),
    ("fo1_", Tail::Word, 30, "fly-token"),
    ("fm2_", Tail::Base64, 60, "fly-token"),
    ("nfp_", Tail::Mixed, 30, "netlify-token"),
    ("vcp_", Tail::Mixed, 24, "vercel-token"),
    ("sbp_", Tail::Hex, 32, "supabase-token"),
    ("sb_secret_", Tail::Word, 20, "supabase-token"),
    ("pscale_tkn_", Tail::Dotted, 24, "planetscale-token"),
    ("pscale_pw_", Tail::Dotted, 24, "planetscale-token"),
    ("pscale_oauth_", Tail::Dotted, 24, "planetscale-token"),
    ("dapi", Tail::Hex, 32, "databricks-token"),
    ("dp.pt.", Tail::Mixed, 30, "doppler-token"),
    ("dp.st.", Tail::Dotted, 30, "doppler-token"),
    ("dp.ct.", Tail::Mixed, 30, "doppler-token"),
    ("dp.sa.", Tail::Mixed, 30, "doppler-token"),
    ("hvs.", Tail::Word, 20, "vault-token"),
    ("hvb.", Tail::Word, 20, "vault-token"),
    ("hvr.", Tail::Word, 20, "vault-token"),
    ("tskey-", Tail::Word, 16, "tailscale-key"),
    ("ops_ey", Tail::Base64, 40, "1password-token"),
    ("AGE-SECRET-KEY-1", Tail::Capitals, 30, "private-key"),
    ("glsa_", Tail::Word, 24, "grafana-token"),
    ("glc_", Tail::Base64, 32, "grafana-token"),
    ("eyJrIjoi", Tail::Base64, 30, "grafana-token"),
    ("NRAK-", Tail::Capitals, 24, "newrelic-key"),
    ("NRJS-", Tail::Hex, 16, "newrelic-key"),
    ("NRII-", Tail::Word, 24, "newrelic-key"),
    ("sntrys_", Tail::Base64, 30, "sentry-token"),
    ("sntryu_", Tail::Hex, 40, "sentry-token"),
    ("phx_", Tail::Mixed, 30, "posthog-key"),
    ("PMAK-", Tail::Word, 40, "postman-key"),
    ("figd_", Tail::Word, 30, "figma-token"),
    ("lin_api_", Tail::Mixed, 30, "linear-key"),
    ("ntn_", Tail::Mixed, 36, "notion-token"),
    ("secret_", Tail::Mixed, 40, "notion-token"),
    ("shpat_", Tail::Hex, 24, "shopify-token"),
    ("shpca_", Tail::Hex, 24, "shopify-token"),
    ("shppa_", Tail::Hex, 24, "shopify-token"),
    ("shpss_", Tail::Hex, 24, "shopify-token"),
    ("sq0atp-", Tail::Word, 20, "square-token"),
    ("sq0csp-", Tail::Word, 40, "square-token"),
    ("EAAA", Tail::Word, 56, "square-token"),
    ("EAAC", Tail::Mixed, 60, "facebook-token"),
    ("EZAK", Tail::Mixed, 50, "easypost-key"),
    ("EZTK", Tail::Mixed, 50, "easypost-key"),
    ("shippo_live_", Tail::Hex, 32, "shippo-key"),
    ("shippo_test_", Tail::Hex, 32, "shippo-key"),
    ("bkua_", Tail::Hex, 32, "buildkite-token"),
    ("CCIPAT_", Tail::Word, 30, "circleci-token"),
    ("CFPAT-", Tail::Word, 40, "contentful-token"),
    ("pnu_", Tail::Mixed, 30, "prefect-key"),
    ("pul-", Tail::Hex, 40, "pulumi-token"),
    ("rdme_", Tail::Mixed, 60, "readme-key"),
    ("sgp_", Tail::Word, 40, "sourcegraph-token"),
    ("tfp_", Tail::Dotted, 50, "typeform-token"),
    ("sl.", Tail::Word, 100, "dropbox-token"),
    ("PTKEY-", Tail::Word, 20, "api-key"),
    ("access-sandbox-", Tail::Word, 30, "plaid-token"),
    ("access-production-", Tail::Word, 30, "plaid-token"),
    ("aio_", Tail::Mixed, 26, "adafruit-key"),
    ("EAACEdEose0cBA", Tail::Mixed, 10, "facebook-token"),
];

/// The most of a token that is looked at before it is believed: a hostile text is read a bounded number of times.
const LOOK: usize = 256;

#[expect(clippy::indexing_slicing, reason = "worked out by the compiler, which would refuse a wrong index")]
const BEGINNINGS: Pairs = {
    let (mut pairs, mut index) = (Pairs::NONE, 0);
    while index < TOKENS.len() {
        pairs = pairs.with(TOKENS[index].0);
        index += 1;
    }
    pairs
};

/// Where the token that begins at `start` ends, and what it is. The byte before `start` is no letter or digit.
pub(super) fn token_at(text: &[u8], start: usize) -> Option<(usize, &'static str)> {
    let here = rest(text, start);
    let listed = BEGINNINGS.may_hold(at(text, start), at(text, start + 1));
    let fits = |row: &&Row| listed && here.starts_with(row.0.as_bytes());
    let rows = TOKENS.iter().take(if listed { TOKENS.len() } else { 0 });
    let found = rows.filter(fits).filter_map(|row| ends(text, start, row)).max_by_key(|it| it.0);
    if found.is_some() {
        return found;
    }
    let inside = start.checked_sub(1).is_some_and(|before| Tail::Word.passes(at(text, before)));
    match here.first() {
        Some(b'e') if !inside => jwt(text, start),
        Some(byte) if byte.is_ascii_digit() => telegram(text, start).or_else(|| odd(text, start)),
        Some(_) => odd(text, start),
        None => None,
    }
}

fn ends(text: &[u8], start: usize, row: &Row) -> Option<(usize, &'static str)> {
    let (beginning, tail, least, kind) = *row;
    let from = start + beginning.len();
    let seen = part(text, 0..text.len().min(from + LOOK));
    let end = skip(seen, from, |byte| tail.passes(byte));
    // A full stop or a dash at the end belongs to the sentence around it.
    let end = end - part(text, from..end).iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count();
    let body = part(text, from..end);
    let fixed = matches!(tail, Tail::Hex | Tail::Capitals);
    // `SK` and `AC` are no more than two letters: what follows has to have the exact length.
    if body.len() < least || beginning.len() == 2 && body.len() != least {
        return None;
    }
    let plausible = if fixed {
        body.len() >= LOOK || !at(text, end).is_ascii_alphanumeric()
    } else {
        !is_words(body) && (has_digit(body) || body.len() >= least + 16)
    };
    let whole = if body.len() >= LOOK { skip(text, end, |byte| tail.passes(byte)) } else { end };
    plausible.then_some((whole, kind))
}

/// Whether it is words joined by dashes or underscores, as in the name of a branch or a package.
fn is_words(body: &[u8]) -> bool {
    let mut words = body.split(|byte| matches!(byte, b'-' | b'_' | b'.'));
    let plain = |word: &[u8]| {
        word.len() < 13
            && (word.iter().all(u8::is_ascii_lowercase)
                || word.len() < 5 && word.iter().all(u8::is_ascii_digit))
    };
    words.all(plain)
}

/// `header.payload.signature`, each in base64 without padding; the first begins with `{"`.
fn jwt(text: &[u8], start: usize) -> Option<(usize, &'static str)> {
    if !rest(text, start).starts_with(b"eyJ") {
        return None;
    }
    let mut end = skip(text, start, |byte| Tail::Word.passes(byte));
    if end - start < 12 || at(text, end) != b'.' {
        return None;
    }
    let mut parts = 0;
    while at(text, end) == b'.' {
        let next = skip(text, end + 1, |byte| Tail::Word.passes(byte));
        if next == end + 1 && parts != 0 {
            break;
        }
        (end, parts) = (next, parts + 1);
    }
    (end - start >= 24).then_some((end, "jwt"))
}

/// `123456789:AA…`: a bot's number, a colon and 35 characters.
fn telegram(text: &[u8], start: usize) -> Option<(usize, &'static str)> {
    let colon = skip(text, start, |byte| byte.is_ascii_digit());
    if !(8..=11).contains(&(colon - start)) || at(text, colon) != b':' {
        return None;
    }
    let end = skip(text, colon + 1, |byte| Tail::Word.passes(byte));
    ((34..=36).contains(&(end - colon - 1)) && has_digit(part(text, colon + 1..end)))
        .then_some((end, "telegram-token"))
}

/// Tokens that can be told by their middle: Azure client secrets, Terraform Cloud, Airtable, Mailchimp.
fn odd(text: &[u8], start: usize) -> Option<(usize, &'static str)> {
    let seen = part(text, 0..text.len().min(start + LOOK));
    let end = skip(seen, start, |byte| Tail::Dotted.passes(byte) || byte == b'~');
    let word = part(text, start..end);
    if word.len() < 34 {
        return None;
    }
    let tail_after = |mark: &[u8], least: usize| {
        let found = word.windows(mark.len()).position(|window| window == mark);
        found.is_some_and(|found| word.len() - found - mark.len() >= least)
    };
    if tail_after(b"8Q~", 28) {
        return Some((end, "azure-client-secret"));
    }
    if tail_after(b".atlasv1.", 40) {
        return Some((end, "terraform-token"));
    }
    if word.starts_with(b"pat") && word.len() == 82 && at(word, 17) == b'.' {
        return Some((end, "airtable-token"));
    }
    let mailchimp = word.len() >= 36 && word.iter().take(32).all(u8::is_ascii_hexdigit);
    (mailchimp && rest(word, 32).starts_with(b"-us") && word.len() < 39).then_some((end, "mailchimp-key"))
}
