-- A function that is frozen in the middle of a transaction must not keep its row locks: the server ends the transaction.
-- A hosted database may not let its user set this; then its own setting stays.
DO $$
BEGIN
  EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = %L', current_database(), '30s');
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'idle_in_transaction_session_timeout could not be set for this database';
END $$;
