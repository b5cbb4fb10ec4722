-- Origins of the pages that may hold the page with the form, with blanks between them.
ALTER TABLE build_session ADD COLUMN ancestor_origins TEXT NOT NULL DEFAULT '';
