//! What tokens cost where that is known for sure: at the makers' own addresses, for models whose list price has been
//! published. Anywhere else, and for any other model, the cost is unknown.

use super::Usage;
use reqwest::Url;

/// Billionths of a dollar for one token; a dollar per million tokens is a thousand of them.
struct Price {
    host: &'static str,
    model: &'static str,
    input: u64,
    cached: u64,
    cache_written: u64,
    output: u64,
}

const fn claude(model: &'static str, input: u64, output: u64) -> Price {
    // Reading the cache costs a tenth, writing it a quarter more.
    let (cached, cache_written) = (input / 10, input + input / 4);
    Price { host: "api.anthropic.com", model, input, cached, cache_written, output }
}

const fn gpt(model: &'static str, input: u64, cached: u64, output: u64) -> Price {
    Price { host: "api.openai.com", model, input, cached, cache_written: input, output }
}

const PRICES: &[Price] = &[
    claude("claude-opus-4-1", 15_000, 75_000),
    claude("claude-opus-4", 15_000, 75_000),
    claude("claude-opus-4-5", 5_000, 25_000),
    claude("claude-sonnet-4-5", 3_000, 15_000),
    claude("claude-sonnet-4", 3_000, 15_000),
    claude("claude-3-7-sonnet", 3_000, 15_000),
    claude("claude-haiku-4-5", 1_000, 5_000),
    claude("claude-3-5-haiku", 800, 4_000),
    gpt("gpt-4.1", 2_000, 500, 8_000),
    gpt("gpt-4.1-mini", 400, 100, 1_600),
    gpt("gpt-4.1-nano", 100, 25, 400),
    gpt("gpt-4o", 2_500, 1_250, 10_000),
    gpt("gpt-4o-mini", 150, 75, 600),
    gpt("gpt-5", 1_250, 125, 10_000),
    gpt("gpt-5-mini", 250, 25, 2_000),
    gpt("gpt-5-nano", 50, 5, 400),
];

/// The cost in billionths of a dollar.
pub(super) fn of(endpoint: &Url, model: &str, usage: Usage) -> Option<u64> {
    let host = endpoint.host_str()?;
    let price = PRICES.iter().find(|price| price.host == host && names(price.model, model))?;
    let fresh = usage.input.saturating_sub(usage.cached).saturating_sub(usage.cache_written);
    let parts = [
        (fresh, price.input),
        (usage.cached, price.cached),
        (usage.cache_written, price.cache_written),
        (usage.output, price.output),
    ];
    Some(
        parts.into_iter().fold(0, |sum: u64, (tokens, each)| sum.saturating_add(tokens.saturating_mul(each))),
    )
}

/// Whether a model's name is this one, with a date behind it or not.
fn names(known: &str, model: &str) -> bool {
    model.strip_prefix(known).is_some_and(|rest| {
        let digits = rest.chars().filter(char::is_ascii_digit).count();
        rest.is_empty()
            || (rest.starts_with('-') && digits == 8 && rest.chars().all(|c| c.is_ascii_digit() || c == '-'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [C16]
    #[test]
    fn a_known_price_is_added_up() {
        let here = Url::parse("https://api.anthropic.com/v1/messages").unwrap();
        let usage = Usage { input: 1_000, cached: 600, cache_written: 300, output: 10 };
        let cost = 100 * 3_000 + 600 * 300 + 300 * 3_750 + 10 * 15_000;
        assert_eq!(of(&here, "claude-sonnet-4-5", usage), Some(cost));
        assert_eq!(of(&here, "claude-sonnet-4-5-20250929", usage), Some(cost));
    }

    /// [C16]
    #[test]
    fn what_is_not_known_has_no_price() {
        let here = Url::parse("https://api.anthropic.com/v1/messages").unwrap();
        let proxy = Url::parse("https://models.example/v1/messages").unwrap();
        assert_eq!(of(&proxy, "claude-sonnet-4-5", Usage::default()), None);
        assert_eq!(of(&here, "claude-sonnet-9", Usage::default()), None);
        assert_eq!(of(&here, "gpt-4o", Usage::default()), None);
    }
}
