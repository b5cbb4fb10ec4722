-- Alternative payment methods: codes in the order of their buttons, separated by commas.

ALTER TABLE terminal ADD COLUMN methods TEXT NOT NULL DEFAULT '';

-- The sandbox's terminals that were put in place before there were methods. Newer ones bring theirs along.
UPDATE terminal SET methods = 'BANCOMATPAY,BANCONTACT,GIROPAY,IDEAL,MYBANK,PAYPAL,PAYPAL_BNPL,PAYPAL_PAGAIN3,MULTIBANCO,WECHAT,ALIPAY,PIS,SATISPAY_DIRECT,SATISPAY,EPS,ONEY,SKRILL,HEYLIGHT,BLIK,KLARNA,PAGODIL,PAGOINCONTO,PAYU,PRZELEWY24,AMAZONPAY,IRIS,PAY_BY_BANK'
    WHERE terminal_id IN ('91000001', '91000002', '91000003', '91000005', '91000006', '92000001');

-- What this session offers beside the card: fixed when it is made. The kind of its page in threeds_page is METHOD.
ALTER TABLE build_session ADD COLUMN methods TEXT NOT NULL DEFAULT '';
