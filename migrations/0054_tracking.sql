-- Figures of reports, maintained as events come (docs/decisions/0078-figures-from-rollups.md).

create table event_changes (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  message_ids bigint[] not null,
  primary key (workspace_id, id)
);
alter table event_changes alter column workspace_id set statistics 0;
comment on table event_changes is
  'Messages of a campaign whose events changed since they were counted; one row for each statement and campaign, written by triggers of events.';

create table message_rollups (
  workspace_id bigint not null,
  message_id bigint not null,
  campaign_id bigint not null,
  domain text not null,
  kinds smallint[] not null,
  links integer[] not null,
  minutes integer[] not null,
  agents bigint[] not null,
  times bigint[] not null,
  primary key (workspace_id, message_id)
);
alter table message_rollups alter column workspace_id set statistics 0;
comment on table message_rollups is
  'What event_counts holds of each message: its events as they were when it was last counted. The arrays have one place for each group of events that are alike.';
comment on column message_rollups.domain is 'The domain of the address it was sent to; empty where it is no email address.';
comment on column message_rollups.kinds is
  'Twice the place in open, click, unsubscribe, complaint, view, from 0; one more for machine traffic.';
comment on column message_rollups.links is 'Of clicks: the lowest number of a link to the same destination.';
comment on column message_rollups.minutes is 'Of opens and clicks: minutes since 1970.';
comment on column message_rollups.agents is 'Of opens by people: the first 64 bits of the MD5 hash of the user agent.';
comment on column message_rollups.times is 'The requests of the group.';

create table event_counts (
  workspace_id bigint not null,
  campaign_id bigint not null,
  dimension text not null,
  number bigint not null,
  name text not null,
  total bigint not null,
  messages bigint not null,
  primary key (workspace_id, campaign_id, dimension, number)
);
alter table event_counts alter column workspace_id set statistics 0;
comment on table event_counts is
  'The figures of a campaign''s report: the sum of its message_rollups. Messages that event_changes names are added as they are read.';
comment on column event_counts.dimension is
  'What is counted, such as open, link, hour-open, agent or domain-opened (server/features/tracking/rollups/figures.ts).';
comment on column event_counts.number is 'The link, the hour or minute since 1970, or the first 64 bits of the MD5 hash of the name; otherwise 0.';
comment on column event_counts.name is 'The user agent or domain; otherwise empty.';
comment on column event_counts.total is 'Requests.';
comment on column event_counts.messages is 'Different messages, where they are counted.';

-- Every statement that changes events says whose, in its transaction. One row for each campaign: the cost of an event is that of
-- its place in an array. The loop is for Citus, where a statement with a spread table finds no transition table.
create function mark_event_changes() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then
    for changed in select workspace_id, campaign_id, array_agg(distinct message_id) as message_ids from old_rows group by workspace_id, campaign_id loop
      insert into event_changes (workspace_id, campaign_id, message_ids)
        values (changed.workspace_id, changed.campaign_id, changed.message_ids);
    end loop;
  else
    for changed in select workspace_id, campaign_id, array_agg(distinct message_id) as message_ids from new_rows group by workspace_id, campaign_id loop
      insert into event_changes (workspace_id, campaign_id, message_ids)
        values (changed.workspace_id, changed.campaign_id, changed.message_ids);
    end loop;
  end if;
  return null;
end $$;

create trigger events_added after insert on events
  referencing new table as new_rows for each statement execute function mark_event_changes();
create trigger events_changed after update on events
  referencing new table as new_rows for each statement execute function mark_event_changes();
create trigger events_removed after delete on events
  referencing old table as old_rows for each statement execute function mark_event_changes();

-- What was there before is counted in the background; until then it is added as it is read.
insert into event_changes (workspace_id, campaign_id, message_ids)
select workspace_id, campaign_id, array_agg(message_id order by message_id)
from (select distinct workspace_id, campaign_id, message_id from events) e
group by workspace_id, campaign_id, message_id / 1000;
