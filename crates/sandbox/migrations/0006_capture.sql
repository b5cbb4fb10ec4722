-- When a charge is captured: IMPLICIT or EXPLICIT. NULL: it is of an earlier release, which did not write it down.
ALTER TABLE charge ADD COLUMN capture TEXT;
