-- platform/audit inserts audit rows in a statement of its own.
DROP FUNCTION IF EXISTS write_audit(jsonb);
