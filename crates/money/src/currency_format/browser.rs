//! How Chromium writes sums. Written by `cargo xtask sums`, not by hand.

use super::LocaleFormat;

#[rustfmt::skip]
pub(super) const LOCALE_FORMATS: &[LocaleFormat] = &[
    LocaleFormat {
        language: "ara", tag: "ar", decimal: '.', group: ',', grouped_from: 4, usual: "\u{200f}#\u{a0}¤",
        others: &[
            ("JPY", "\u{200f}#\u{a0}JP¥"), ("KRW", "\u{200f}#\u{a0}₩"), ("VND", "\u{200f}#\u{a0}₫"),
            ("AED", "\u{200f}#\u{a0}د.إ.\u{200f}"), ("AUD", "\u{200f}#\u{a0}AU$"), ("BRL", "\u{200f}#\u{a0}R$"),
            ("CAD", "\u{200f}#\u{a0}CA$"), ("CNY", "\u{200f}#\u{a0}CN¥"), ("EGP", "\u{200f}#\u{a0}ج.م.\u{200f}"),
            ("EUR", "\u{200f}#\u{a0}€"), ("GBP", "\u{200f}#\u{a0}UK£"), ("HKD", "\u{200f}#\u{a0}HK$"),
            ("INR", "\u{200f}#\u{a0}₹"), ("MXN", "\u{200f}#\u{a0}MX$"), ("QAR", "\u{200f}#\u{a0}ر.ق.\u{200f}"),
            ("SAR", "\u{200f}#\u{a0}ر.س.\u{200f}"), ("THB", "\u{200f}#\u{a0}฿"), ("TWD", "\u{200f}#\u{a0}NT$"),
            ("USD", "\u{200f}#\u{a0}US$"), ("BHD", "\u{200f}#\u{a0}د.ب.\u{200f}"), ("JOD", "\u{200f}#\u{a0}د.أ.\u{200f}"),
            ("KWD", "\u{200f}#\u{a0}د.ك.\u{200f}"),
        ],
    },
    LocaleFormat {
        language: "bul", tag: "bg", decimal: ',', group: '\u{a0}', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("BGN", "#\u{a0}лв."), ("EUR", "#\u{a0}€"), ("USD", "#\u{a0}щ.д."),
        ],
    },
    LocaleFormat {
        language: "cat", tag: "ca", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}AU$"), ("EUR", "#\u{a0}€"),
            ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"), ("INR", "#\u{a0}₹"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"),
        ],
    },
    LocaleFormat {
        language: "ces", tag: "cs", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}JP¥"), ("KRW", "#\u{a0}₩"), ("AUD", "#\u{a0}AU$"), ("BRL", "#\u{a0}R$"), ("CAD", "#\u{a0}CA$"),
            ("CNY", "#\u{a0}CN¥"), ("CZK", "#\u{a0}Kč"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("MXN", "#\u{a0}MX$"), ("TWD", "#\u{a0}NT$"), ("USD", "#\u{a0}US$"),
        ],
    },
    LocaleFormat {
        language: "dan", tag: "da", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}JP¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}AU$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("DKK", "#\u{a0}kr."), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"),
            ("HKD", "#\u{a0}HK$"), ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"),
            ("USD", "#\u{a0}US$"),
        ],
    },
    LocaleFormat {
        language: "deu", tag: "de", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}AU$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "ell", tag: "el", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}JP¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}A$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "eng", tag: "en", decimal: '.', group: ',', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "¥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "A$#"), ("BRL", "R$#"), ("CAD", "CA$#"), ("CNY", "CN¥#"),
            ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "₹#"), ("MXN", "MX$#"), ("PHP", "₱#"), ("TWD", "NT$#"),
            ("USD", "$#"),
        ],
    },
    LocaleFormat {
        language: "spa", tag: "es", decimal: ',', group: '.', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("VND", "#\u{a0}₫"), ("EUR", "#\u{a0}€"), ("THB", "#\u{a0}฿"), ("USD", "#\u{a0}US$"),
        ],
    },
    LocaleFormat {
        language: "est", tag: "et", decimal: ',', group: '\u{a0}', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}AU$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "fin", tag: "fi", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "fra", tag: "fr", decimal: ',', group: '\u{202f}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("CLP", "#\u{a0}$CL"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("ARS", "#\u{a0}$AR"), ("AUD", "#\u{a0}$AU"),
            ("BRL", "#\u{a0}R$"), ("CAD", "#\u{a0}$CA"), ("COP", "#\u{a0}$CO"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£GB"),
            ("GIP", "#\u{a0}£GI"), ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}$MX"), ("SGD", "#\u{a0}$SG"),
            ("USD", "#\u{a0}$US"),
        ],
    },
    LocaleFormat {
        language: "heb", tag: "he", decimal: '.', group: ',', grouped_from: 4, usual: "\u{200f}#\u{a0}\u{200f}¤",
        others: &[
            ("JPY", "\u{200f}#\u{a0}\u{200f}¥"), ("KRW", "\u{200f}#\u{a0}\u{200f}₩"), ("VND", "\u{200f}#\u{a0}\u{200f}₫"),
            ("AUD", "\u{200f}#\u{a0}\u{200f}A$"), ("BRL", "\u{200f}#\u{a0}\u{200f}R$"),
            ("CAD", "\u{200f}#\u{a0}\u{200f}CA$"), ("CNY", "\u{200f}#\u{a0}\u{200f}\u{200e}CN¥\u{200e}"),
            ("EUR", "\u{200f}#\u{a0}\u{200f}€"), ("GBP", "\u{200f}#\u{a0}\u{200f}£"),
            ("HKD", "\u{200f}#\u{a0}\u{200f}HK$"), ("INR", "\u{200f}#\u{a0}\u{200f}₹"),
            ("MXN", "\u{200f}#\u{a0}\u{200f}MX$"), ("THB", "\u{200f}#\u{a0}\u{200f}฿"),
            ("TWD", "\u{200f}#\u{a0}\u{200f}NT$"), ("USD", "\u{200f}#\u{a0}\u{200f}$"),
        ],
    },
    LocaleFormat {
        language: "hrv", tag: "hr", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("EUR", "#\u{a0}€"), ("HRK", "#\u{a0}kn"),
        ],
    },
    LocaleFormat {
        language: "hun", tag: "hu", decimal: ',', group: '\u{a0}', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("HUF", "#\u{a0}Ft"),
        ],
    },
    LocaleFormat {
        language: "ind", tag: "id", decimal: ',', group: '.', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "JP¥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "AU$#"), ("BRL", "R$#"), ("CAD", "CA$#"),
            ("CNY", "CN¥#"), ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "Rs\u{a0}#"), ("MXN", "MX$#"),
            ("THB", "฿#"), ("TWD", "NT$#"), ("USD", "US$#"),
        ],
    },
    LocaleFormat {
        language: "ita", tag: "it", decimal: ',', group: '.', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("AUD", "#\u{a0}A$"), ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"),
            ("PHP", "#\u{a0}₱"), ("THB", "#\u{a0}฿"),
        ],
    },
    LocaleFormat {
        language: "jpn", tag: "ja", decimal: '.', group: ',', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "￥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "A$#"), ("BRL", "R$#"), ("CAD", "CA$#"),
            ("CNY", "元\u{a0}#"), ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "₹#"), ("MXN", "MX$#"),
            ("TWD", "NT$#"), ("USD", "$#"),
        ],
    },
    LocaleFormat {
        language: "kor", tag: "ko", decimal: '.', group: ',', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "JP¥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "AU$#"), ("BRL", "R$#"), ("CAD", "CA$#"),
            ("CNY", "CN¥#"), ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "₹#"), ("MXN", "MX$#"),
            ("TWD", "NT$#"), ("USD", "US$#"),
        ],
    },
    LocaleFormat {
        language: "lit", tag: "lt", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("EUR", "#\u{a0}€"),
        ],
    },
    LocaleFormat {
        language: "lav", tag: "lv", decimal: ',', group: '\u{a0}', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}AU$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "nob", tag: "nb", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("NOK", "#\u{a0}kr"),
        ],
    },
    LocaleFormat {
        language: "pol", tag: "pl", decimal: ',', group: '\u{a0}', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("BRL", "#\u{a0}R$"), ("EUR", "#\u{a0}€"), ("PLN", "#\u{a0}zł"),
        ],
    },
    LocaleFormat {
        language: "por", tag: "pt", decimal: ',', group: '.', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "JP¥\u{a0}#"), ("KRW", "₩\u{a0}#"), ("VND", "₫\u{a0}#"), ("AUD", "AU$\u{a0}#"), ("BRL", "R$\u{a0}#"),
            ("CAD", "CA$\u{a0}#"), ("CNY", "CN¥\u{a0}#"), ("EUR", "€\u{a0}#"), ("GBP", "£\u{a0}#"), ("HKD", "HK$\u{a0}#"),
            ("INR", "₹\u{a0}#"), ("MXN", "MX$\u{a0}#"), ("THB", "฿\u{a0}#"), ("TWD", "NT$\u{a0}#"), ("USD", "US$\u{a0}#"),
        ],
    },
    LocaleFormat {
        language: "ron", tag: "ro", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            
        ],
    },
    LocaleFormat {
        language: "rus", tag: "ru", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}A$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("RUB", "#\u{a0}₽"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"),
            ("UAH", "#\u{a0}грн."), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "slk", tag: "sk", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("EUR", "#\u{a0}€"), ("MXN", "#\u{a0}MX$"),
        ],
    },
    LocaleFormat {
        language: "slv", tag: "sl", decimal: ',', group: '.', grouped_from: 5, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"),
            ("HKD", "#\u{a0}HK$"), ("INR", "#\u{a0}₹"), ("USD", "#\u{a0}$"),
        ],
    },
    LocaleFormat {
        language: "swe", tag: "sv", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("ISK", "#\u{a0}Ikr"), ("BRL", "#\u{a0}BR$"), ("CAD", "#\u{a0}CA$"), ("DKK", "#\u{a0}Dkr"),
            ("EGP", "#\u{a0}EG£"), ("EUR", "#\u{a0}€"), ("MXN", "#\u{a0}MX$"), ("NOK", "#\u{a0}Nkr"), ("SEK", "#\u{a0}kr"),
            ("USD", "#\u{a0}US$"),
        ],
    },
    LocaleFormat {
        language: "tha", tag: "th", decimal: '.', group: ',', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "¥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "AU$#"), ("BRL", "R$#"), ("CAD", "CA$#"), ("CNY", "CN¥#"),
            ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "₹#"), ("MXN", "MX$#"), ("THB", "฿#"), ("TWD", "NT$#"),
            ("USD", "US$#"),
        ],
    },
    LocaleFormat {
        language: "tur", tag: "tr", decimal: ',', group: '.', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "¥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "AU$#"), ("BRL", "R$#"), ("CAD", "CA$#"), ("CNY", "CN¥#"),
            ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "₹#"), ("MXN", "MX$#"), ("THB", "฿#"), ("TRY", "₺#"),
            ("TWD", "NT$#"), ("USD", "$#"),
        ],
    },
    LocaleFormat {
        language: "ukr", tag: "uk", decimal: ',', group: '\u{a0}', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("UAH", "#\u{a0}грн"),
        ],
    },
    LocaleFormat {
        language: "vie", tag: "vi", decimal: ',', group: '.', grouped_from: 4, usual: "#\u{a0}¤",
        others: &[
            ("JPY", "#\u{a0}¥"), ("KRW", "#\u{a0}₩"), ("VND", "#\u{a0}₫"), ("AUD", "#\u{a0}AU$"), ("BRL", "#\u{a0}R$"),
            ("CAD", "#\u{a0}CA$"), ("CNY", "#\u{a0}CN¥"), ("EUR", "#\u{a0}€"), ("GBP", "#\u{a0}£"), ("HKD", "#\u{a0}HK$"),
            ("INR", "#\u{a0}₹"), ("MXN", "#\u{a0}MX$"), ("THB", "#\u{a0}฿"), ("TWD", "#\u{a0}NT$"), ("USD", "#\u{a0}US$"),
        ],
    },
    LocaleFormat {
        language: "zha", tag: "zh", decimal: '.', group: ',', grouped_from: 4, usual: "¤\u{a0}#",
        others: &[
            ("JPY", "JP¥#"), ("KRW", "₩#"), ("VND", "₫#"), ("AUD", "AU$#"), ("BRL", "R$#"), ("CAD", "CA$#"), ("CNY", "¥#"),
            ("EUR", "€#"), ("GBP", "£#"), ("HKD", "HK$#"), ("INR", "₹#"), ("MXN", "MX$#"), ("TWD", "NT$#"),
            ("USD", "US$#"),
        ],
    },
];
