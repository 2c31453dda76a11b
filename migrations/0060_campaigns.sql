-- Campaigns that ended before they had their recipients: what their launches left is looked for (server/features/campaigns/jobs.ts).
create index campaigns_ended_early on campaigns (started_at)
  where audience_at is null and started_at is not null and (state in ('cancelled', 'failed') or deleted_at is not null);
