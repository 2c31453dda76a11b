-- Ids are not compressed: PostgreSQL tried to as soon as a mark had about 125 events, which took longer than the rest of it. Marks are short-lived.
-- Citus refuses it for a table that is spread.
do $$ begin
  if not exists (select from pg_extension where extname = 'citus') then
    alter table event_changes alter column message_ids set storage external;
    alter table event_changes alter column event_ids set storage external;
  end if;
end $$;
