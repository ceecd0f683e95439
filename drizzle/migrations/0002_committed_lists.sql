-- A committed allowlist decides who may buy, and its hash stands on the ledger: nothing may change it any more.
CREATE FUNCTION "refuse_change_of_committed_list"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'lists' THEN
    IF OLD.status = 'committed' THEN
      RAISE EXCEPTION 'list % is committed and never changes', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  ELSIF EXISTS (SELECT FROM "lists" WHERE "id" IN (OLD.list_id, NEW.list_id) AND "status" = 'committed') THEN
    RAISE EXCEPTION 'list % is committed and never changes', coalesce(NEW.list_id, OLD.list_id)
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;
--> statement-breakpoint
CREATE TRIGGER "lists_never_change" BEFORE UPDATE OR DELETE ON "lists"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_committed_list"();
--> statement-breakpoint
CREATE TRIGGER "list_entries_never_change" BEFORE INSERT OR UPDATE OR DELETE ON "list_entries"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_committed_list"();
--> statement-breakpoint
-- Each investment is written once pending and once decided: room for the second version keeps it off the indexes.
ALTER TABLE "investments" SET (fillfactor = 60);
