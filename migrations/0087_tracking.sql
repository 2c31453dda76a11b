-- Which events were added, so that a report right after them reads those alone (docs/decisions/0078-figures-from-rollups.md).

alter table event_changes add column event_ids bigint[];
comment on column event_changes.event_ids is
  'The events, where nothing but new ones came; null: they changed, went, or are to be counted anew.';

create or replace function mark_event_changes() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then
    for changed in select workspace_id, campaign_id, array_agg(distinct message_id) as message_ids from old_rows group by workspace_id, campaign_id loop
      insert into event_changes (workspace_id, campaign_id, message_ids)
        values (changed.workspace_id, changed.campaign_id, changed.message_ids);
    end loop;
  elsif tg_op = 'INSERT' then
    for changed in select workspace_id, campaign_id, array_agg(distinct message_id) as message_ids, array_agg(id) as event_ids
      from new_rows group by workspace_id, campaign_id loop
      insert into event_changes (workspace_id, campaign_id, message_ids, event_ids)
        values (changed.workspace_id, changed.campaign_id, changed.message_ids, changed.event_ids);
    end loop;
  else
    for changed in select workspace_id, campaign_id, array_agg(distinct message_id) as message_ids from new_rows group by workspace_id, campaign_id loop
      insert into event_changes (workspace_id, campaign_id, message_ids)
        values (changed.workspace_id, changed.campaign_id, changed.message_ids);
    end loop;
  end if;
  return null;
end $$;

alter table message_rollups add column last_event bigint;
comment on column message_rollups.last_event is
  'The highest id of the events that are counted, so that later ones are known not to be; null: counted before this was stored.';

-- Whether messages in trouble, and when, did something is read from the index alone (docs/decisions/0088-pages-of-recipients-along-an-index.md).
alter table message_rollups drop constraint message_rollups_pkey;
alter table message_rollups add constraint message_rollups_pkey primary key (workspace_id, message_id) include (opened_at, clicked_at, unsubscribed_at);
