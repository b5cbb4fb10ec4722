//! Which country a form's billing address begins with.

use axum::http::HeaderMap;
use payframe_protocol::boot::Boot;
use payframe_web_pages::language::accepted_country;

/// Chooses the country of the billing address, if it is asked for and the order names none: the browser's.
pub(super) fn choose_country(boot: &mut Boot, headers: &HeaderMap) {
    if let Some(billing) = &mut boot.billing
        && billing.country.is_none()
    {
        let country = accepted_country(headers).map(str::to_ascii_uppercase);
        billing.country = country.filter(|country| billing.countries.contains_key(country));
    }
}
