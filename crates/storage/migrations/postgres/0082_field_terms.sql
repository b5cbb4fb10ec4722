-- Tables and columns carry the names that the code and the documents use.
ALTER TABLE seat RENAME TO login_session;
ALTER TABLE three_step RENAME TO external_3ds;
ALTER TABLE external_3ds RENAME COLUMN standing TO status;
ALTER TABLE hosted_page RENAME COLUMN standing TO status;
