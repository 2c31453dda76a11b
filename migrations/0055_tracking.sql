-- What became of the emails of a campaign at each domain, maintained as messages change (docs/decisions/0078-figures-from-rollups.md).

create table message_changes (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  domains text[] not null,
  outcomes text[] not null,
  messages bigint[] not null,
  primary key (workspace_id, id)
);
alter table message_changes alter column workspace_id set statistics 0;
comment on table message_changes is
  'How many messages more, or fewer, have an outcome at a domain, not yet added to event_counts; one row for each statement and campaign, written by triggers of messages.';
comment on column message_changes.domains is 'The domains of the addresses; empty where it is no email address.';
comment on column message_changes.outcomes is 'The state; with -block or -address where the reason is the sender''s reputation or the address.';
comment on column message_changes.messages is 'Below 0: fewer.';
comment on table event_counts is
  'The figures of a campaign''s report: the sum of its message_rollups, and what became of its messages. What event_changes and message_changes name is added as it is read.';

-- Queued and claimed messages have no outcome: a claim writes nothing here, and a message that is settled is one of a sum.
create function note_message_outcomes() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'UPDATE' then
    for changed in
      select workspace_id, campaign_id, array_agg(domain) as domains, array_agg(outcome) as outcomes, array_agg(messages) as messages from (
        select workspace_id, campaign_id, case when position('@' in address) > 0 then lower(split_part(address, '@', -1)) else '' end as domain,
          case when state = 'failed' and reason in ('hard', 'soft', 'expired') then 'failed-address'
            when state in ('failed', 'bounced', 'deferred') and reason = 'block' then state || '-block' else state end as outcome,
          sum(sign) as messages
        from (
          select workspace_id, campaign_id, address, state, reason, 1 as sign from new_rows
          union all
          select workspace_id, campaign_id, address, state, reason, -1 from old_rows
        ) rows where state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed')
        group by 1, 2, 3, 4 having sum(sign) <> 0
      ) sums group by workspace_id, campaign_id
    loop
      insert into message_changes (workspace_id, campaign_id, domains, outcomes, messages)
        values (changed.workspace_id, changed.campaign_id, changed.domains, changed.outcomes, changed.messages);
    end loop;
  elsif tg_op = 'INSERT' then
    for changed in
      select workspace_id, campaign_id, array_agg(domain) as domains, array_agg(outcome) as outcomes, array_agg(messages) as messages from (
        select workspace_id, campaign_id, case when position('@' in address) > 0 then lower(split_part(address, '@', -1)) else '' end as domain,
          case when state = 'failed' and reason in ('hard', 'soft', 'expired') then 'failed-address'
            when state in ('failed', 'bounced', 'deferred') and reason = 'block' then state || '-block' else state end as outcome,
          count(*) as messages
        from new_rows where state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed') group by 1, 2, 3, 4
      ) sums group by workspace_id, campaign_id
    loop
      insert into message_changes (workspace_id, campaign_id, domains, outcomes, messages)
        values (changed.workspace_id, changed.campaign_id, changed.domains, changed.outcomes, changed.messages);
    end loop;
  else
    for changed in
      select workspace_id, campaign_id, array_agg(domain) as domains, array_agg(outcome) as outcomes, array_agg(messages) as messages from (
        select workspace_id, campaign_id, case when position('@' in address) > 0 then lower(split_part(address, '@', -1)) else '' end as domain,
          case when state = 'failed' and reason in ('hard', 'soft', 'expired') then 'failed-address'
            when state in ('failed', 'bounced', 'deferred') and reason = 'block' then state || '-block' else state end as outcome,
          -count(*) as messages
        from old_rows where state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed') group by 1, 2, 3, 4
      ) sums group by workspace_id, campaign_id
    loop
      insert into message_changes (workspace_id, campaign_id, domains, outcomes, messages)
        values (changed.workspace_id, changed.campaign_id, changed.domains, changed.outcomes, changed.messages);
    end loop;
  end if;
  return null;
end $$;

create trigger messages_came_out after insert on messages
  referencing new table as new_rows for each statement execute function note_message_outcomes();
create trigger messages_changed_outcome after update on messages
  referencing old table as old_rows new table as new_rows for each statement execute function note_message_outcomes();
create trigger messages_left after delete on messages
  referencing old table as old_rows for each statement execute function note_message_outcomes();

insert into message_changes (workspace_id, campaign_id, domains, outcomes, messages)
select workspace_id, campaign_id, array_agg(domain), array_agg(outcome), array_agg(messages) from (
  select workspace_id, campaign_id, case when position('@' in address) > 0 then lower(split_part(address, '@', -1)) else '' end as domain,
    case when state = 'failed' and reason in ('hard', 'soft', 'expired') then 'failed-address'
      when state in ('failed', 'bounced', 'deferred') and reason = 'block' then state || '-block' else state end as outcome,
    count(*) as messages
  from messages where state in ('sent', 'deferred', 'failed', 'bounced', 'unconfirmed') group by 1, 2, 3, 4
) sums group by workspace_id, campaign_id;
