-- Messages are removed in parts too, where a campaign does not start: what is removed is no longer counted, and the next try
-- counts on from what is there.
create or replace function add_campaign_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update campaign_counts c set
      queued = c.queued - d.queued, claimed = c.claimed - d.claimed, sent = c.sent - d.sent, deferred = c.deferred - d.deferred,
      failed = c.failed - d.failed, bounced = c.bounced - d.bounced, suppressed = c.suppressed - d.suppressed,
      unconfirmed = c.unconfirmed - d.unconfirmed
    from (
      select workspace_id, campaign_id,
        count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'claimed') as claimed,
        count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'deferred') as deferred,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'bounced') as bounced,
        count(*) filter (where state = 'suppressed') as suppressed, count(*) filter (where state = 'unconfirmed') as unconfirmed
      from old_rows group by workspace_id, campaign_id order by workspace_id, campaign_id
    ) d where c.workspace_id = d.workspace_id and c.campaign_id = d.campaign_id;
    delete from campaign_counts c using (select distinct workspace_id, campaign_id from old_rows) o
      where c.workspace_id = o.workspace_id and c.campaign_id = o.campaign_id
        and not exists (select 1 from messages m where m.workspace_id = o.workspace_id and m.campaign_id = o.campaign_id);
    return null;
  end if;
  insert into campaign_counts as c (workspace_id, campaign_id, queued, claimed, sent, deferred, failed, bounced, suppressed, unconfirmed)
  select workspace_id, campaign_id,
    count(*) filter (where state = 'queued'), count(*) filter (where state = 'claimed'), count(*) filter (where state = 'sent'),
    count(*) filter (where state = 'deferred'), count(*) filter (where state = 'failed'), count(*) filter (where state = 'bounced'),
    count(*) filter (where state = 'suppressed'), count(*) filter (where state = 'unconfirmed')
  from new_rows group by workspace_id, campaign_id order by workspace_id, campaign_id
  on conflict (workspace_id, campaign_id) do update set
    queued = c.queued + excluded.queued, claimed = c.claimed + excluded.claimed, sent = c.sent + excluded.sent,
    deferred = c.deferred + excluded.deferred, failed = c.failed + excluded.failed, bounced = c.bounced + excluded.bounced,
    suppressed = c.suppressed + excluded.suppressed, unconfirmed = c.unconfirmed + excluded.unconfirmed;
  return null;
end $$;
