-- Operations from before existing clients were told what they know (contract 13, D133 and D140): lists are searched by it.

UPDATE operation SET document = replace(document, '"paymentCircuit":"MAESTRO"', '"paymentCircuit":"MAE"')
    WHERE circuit = 'MAESTRO';
UPDATE operation SET document = replace(document, '"paymentCircuit":"UNIONPAY"', '"paymentCircuit":"UPI"')
    WHERE circuit = 'UNIONPAY';

-- A release that was made: nobody may take it for paid.
UPDATE operation SET result = 'VOIDED',
        document = replace(document, '"operationResult":"EXECUTED"', '"operationResult":"VOIDED"')
    WHERE operation_type = 'VOID' AND result = 'EXECUTED';

-- The sandbox's terminals that were put in place before there was this method.
UPDATE terminal SET methods = replace(methods, 'SKRILL,', 'SKRILL,SKRILL1TAP,')
    WHERE terminal_id IN ('91000001', '91000002', '91000003', '91000005', '91000006', '92000001');
