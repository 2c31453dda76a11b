-- The functions of 0007_campaigns.sql and 0053_campaigns.sql for Citus, where a statement with a spread table finds no transition table: what they
-- say is counted first, and then written with one statement for each campaign.
create or replace function add_campaign_counts() returns trigger language plpgsql as $$
declare
  counted jsonb;
  d record;
begin
  if tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(g) order by workspace_id, campaign_id) into counted from (
      select workspace_id, campaign_id,
        count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'claimed') as claimed,
        count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'deferred') as deferred,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'bounced') as bounced,
        count(*) filter (where state = 'suppressed') as suppressed, count(*) filter (where state = 'unconfirmed') as unconfirmed
      from old_rows group by workspace_id, campaign_id
    ) g;
    for d in select * from jsonb_to_recordset(counted) as r (workspace_id bigint, campaign_id bigint, queued bigint, claimed bigint,
        sent bigint, deferred bigint, failed bigint, bounced bigint, suppressed bigint, unconfirmed bigint) loop
      update campaign_counts c set
        queued = c.queued - d.queued, claimed = c.claimed - d.claimed, sent = c.sent - d.sent, deferred = c.deferred - d.deferred,
        failed = c.failed - d.failed, bounced = c.bounced - d.bounced, suppressed = c.suppressed - d.suppressed,
        unconfirmed = c.unconfirmed - d.unconfirmed
      where c.workspace_id = d.workspace_id and c.campaign_id = d.campaign_id;
      delete from campaign_counts c where c.workspace_id = d.workspace_id and c.campaign_id = d.campaign_id
        and not exists (select 1 from messages m where m.workspace_id = d.workspace_id and m.campaign_id = d.campaign_id);
    end loop;
    return null;
  end if;
  select jsonb_agg(to_jsonb(g) order by workspace_id, campaign_id) into counted from (
    select workspace_id, campaign_id,
      count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'claimed') as claimed,
      count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'deferred') as deferred,
      count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'bounced') as bounced,
      count(*) filter (where state = 'suppressed') as suppressed, count(*) filter (where state = 'unconfirmed') as unconfirmed
    from new_rows group by workspace_id, campaign_id
  ) g;
  for d in select * from jsonb_to_recordset(counted) as r (workspace_id bigint, campaign_id bigint, queued bigint, claimed bigint,
      sent bigint, deferred bigint, failed bigint, bounced bigint, suppressed bigint, unconfirmed bigint) loop
    insert into campaign_counts as c (workspace_id, campaign_id, queued, claimed, sent, deferred, failed, bounced, suppressed, unconfirmed)
    values (d.workspace_id, d.campaign_id, d.queued, d.claimed, d.sent, d.deferred, d.failed, d.bounced, d.suppressed, d.unconfirmed)
    on conflict (workspace_id, campaign_id) do update set
      queued = c.queued + excluded.queued, claimed = c.claimed + excluded.claimed, sent = c.sent + excluded.sent,
      deferred = c.deferred + excluded.deferred, failed = c.failed + excluded.failed, bounced = c.bounced + excluded.bounced,
      suppressed = c.suppressed + excluded.suppressed, unconfirmed = c.unconfirmed + excluded.unconfirmed;
  end loop;
  return null;
end $$;

create or replace function move_campaign_counts() returns trigger language plpgsql as $$
declare
  moved jsonb;
  d record;
begin
  select jsonb_agg(to_jsonb(g) order by workspace_id, campaign_id) into moved from (
    select workspace_id, campaign_id,
      coalesce(sum(n) filter (where state = 'queued'), 0) as queued, coalesce(sum(n) filter (where state = 'claimed'), 0) as claimed,
      coalesce(sum(n) filter (where state = 'sent'), 0) as sent, coalesce(sum(n) filter (where state = 'deferred'), 0) as deferred,
      coalesce(sum(n) filter (where state = 'failed'), 0) as failed, coalesce(sum(n) filter (where state = 'bounced'), 0) as bounced,
      coalesce(sum(n) filter (where state = 'suppressed'), 0) as suppressed,
      coalesce(sum(n) filter (where state = 'unconfirmed'), 0) as unconfirmed
    from (
      select workspace_id, campaign_id, state, count(*) as n from new_rows group by workspace_id, campaign_id, state
      union all
      select workspace_id, campaign_id, state, -count(*) as n from old_rows group by workspace_id, campaign_id, state
    ) moves group by workspace_id, campaign_id
  ) g;
  for d in select * from jsonb_to_recordset(moved) as r (workspace_id bigint, campaign_id bigint, queued bigint, claimed bigint,
      sent bigint, deferred bigint, failed bigint, bounced bigint, suppressed bigint, unconfirmed bigint) loop
    update campaign_counts c set
      queued = c.queued + d.queued, claimed = c.claimed + d.claimed, sent = c.sent + d.sent, deferred = c.deferred + d.deferred,
      failed = c.failed + d.failed, bounced = c.bounced + d.bounced, suppressed = c.suppressed + d.suppressed,
      unconfirmed = c.unconfirmed + d.unconfirmed
    where c.workspace_id = d.workspace_id and c.campaign_id = d.campaign_id;
  end loop;
  return null;
end $$;
