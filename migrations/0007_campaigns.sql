create table campaigns (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  -- A name in the registry of server/features/campaigns/channels: a new channel needs no change of this table.
  channel text not null default 'email',
  state text not null default 'draft'
    check (state in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')),
  state_text text not null default '',
  sender_id bigint,
  subject text not null default '',
  template_id bigint,
  html text not null default '',
  whatsapp jsonb,
  merge_import_id bigint,
  track_opens boolean not null default true,
  track_clicks boolean not null default true,
  tells_origins boolean not null default false,
  scheduled_at timestamptz,
  time_zone text,
  sending_window jsonb,
  spread boolean not null default false,
  -- A follow-up is a campaign of its own, so that it has a plan, links, counts and messages of its own. Its state is its
  -- parent's: of its own it uses audience_at and the plan only.
  parent_id bigint,
  step integer not null default 1,
  after_minutes integer not null default 0,
  stop_on_click boolean not null default true,
  stop_on_reply boolean not null default true,
  plan jsonb,
  audience_at timestamptz,
  handed integer not null default 0,
  hard integer not null default 0,
  reserved bigint not null default 0,
  reserved_month date,
  reserved_of text not null default 'emails',
  reserved_before bigint not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (workspace_id, id),
  -- Campaigns that need them no longer forget them first (server/features/campaigns/references.ts).
  foreign key (workspace_id, sender_id) references senders (workspace_id, id),
  foreign key (workspace_id, template_id) references templates (workspace_id, id),
  foreign key (workspace_id, merge_import_id) references imports (workspace_id, id),
  foreign key (workspace_id, parent_id) references campaigns (workspace_id, id) on delete cascade
);
-- The sending threads know a campaign by its id.
create index campaigns_id on campaigns (id);
create index campaigns_running on campaigns (state) where state in ('scheduled', 'sending');
create unique index campaigns_steps on campaigns (workspace_id, parent_id, step) where parent_id is not null;
comment on table campaigns is 'Campaigns of every channel, and their follow-ups.';
comment on column campaigns.whatsapp is 'Channel whatsapp: the number, the template, and what fills its variables.';
comment on column campaigns.merge_import_id is 'The spreadsheet whose rows are the recipients, instead of lists.';
comment on column campaigns.tells_origins is 'Its emails tell collected contacts where their address was found.';
comment on column campaigns.sending_window is '{ days: [1..7], from: "09:00", to: "17:00", timeZone }; null: at any time.';
comment on column campaigns.spread is 'Spreads the limit of a day evenly over the sending hours.';
comment on column campaigns.parent_id is 'The campaign it follows up; null: it is none.';
comment on column campaigns.after_minutes is 'How long after the step before it the follow-up is sent.';
comment on column campaigns.plan is 'The compiled content, frozen when sending starts; null before.';
comment on column campaigns.audience_at is 'When the recipients were written: until then there is nothing to claim and nothing to finish.';
comment on column campaigns.handed is 'Messages handed over since the last start or resume, for the circuit breaker.';
comment on column campaigns.hard is 'Hard refusals since the last start or resume, for the circuit breaker.';
comment on column campaigns.reserved is 'Messages reserved of the limits of reserved_month (usage_months).';
comment on column campaigns.reserved_of is 'The column of usage_months that counts its messages.';
comment on column campaigns.reserved_before is 'Messages reserved in earlier months: a later try counts when it happens.';
comment on column campaigns.deleted_at is 'Removed by its owner, but stored: links in sent emails must work for ever.';

create table campaign_lists (
  workspace_id bigint not null,
  campaign_id bigint not null,
  list_id bigint not null,
  primary key (workspace_id, campaign_id, list_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade,
  foreign key (workspace_id, list_id) references lists (workspace_id, id) on delete cascade
);
comment on table campaign_lists is 'The lists a campaign is sent to.';

create table campaign_senders (
  workspace_id bigint not null,
  campaign_id bigint not null,
  sender_id bigint not null,
  position integer not null default 0,
  primary key (workspace_id, campaign_id, sender_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade,
  foreign key (workspace_id, sender_id) references senders (workspace_id, id)
);
comment on table campaign_senders is 'The accounts a Gmail campaign uses in turns.';

create table campaign_attachments (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  name text not null,
  type text not null,
  size integer not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
create index campaign_attachments_campaign on campaign_attachments (workspace_id, campaign_id, id);
comment on table campaign_attachments is 'Files attached to the emails of a campaign.';
comment on column campaign_attachments.type is 'The media type.';
comment on column campaign_attachments.size is 'Bytes.';

create table campaign_links (
  workspace_id bigint not null,
  campaign_id bigint not null,
  link integer not null,
  url text not null,
  primary key (workspace_id, campaign_id, link),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
comment on table campaign_links is 'The links of a campaign''s content, by their number in tracked links.';

create table messages (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  contact_id bigint not null,
  sender_id bigint,
  address text not null,
  state text not null default 'queued'
    check (state in ('queued', 'claimed', 'sent', 'deferred', 'failed', 'bounced', 'suppressed', 'unconfirmed')),
  reason text not null default '',
  claim_id bigint,
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  due_at timestamptz default now(),
  response text not null default '',
  queued_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, campaign_id, contact_id)
);
alter table messages alter column workspace_id set statistics 0;
-- The token of a link names its message and no workspace.
create index messages_id on messages (id);
-- What is to be sent has a time from which it is due; what is claimed or done has none. One index finds the next ones,
-- and no other index can give this order, so that no planner walks over the ones already sent.
create index messages_due on messages (campaign_id, due_at, id) where due_at is not null;
-- Few, and looked up by name.
create index messages_troubled on messages (workspace_id, campaign_id, state, contact_id)
  where state in ('failed', 'bounced', 'suppressed', 'unconfirmed', 'deferred');
comment on table messages is 'One row for each recipient of a campaign: the truth about every message.';
comment on column messages.sender_id is 'The account the message is sent through; null where a campaign has one sender.';
comment on column messages.claim_id is 'The claim that holds the message; claims.message_ids says the same.';
comment on column messages.due_at is 'When it may be claimed; null: it is claimed or done.';

-- Counted by the triggers below in the transaction that changes messages: the counts cannot drift, and reading them costs
-- the same for ten recipients and ten million.
create table campaign_counts (
  workspace_id bigint not null,
  campaign_id bigint not null,
  queued bigint not null default 0,
  claimed bigint not null default 0,
  sent bigint not null default 0,
  deferred bigint not null default 0,
  failed bigint not null default 0,
  bounced bigint not null default 0,
  suppressed bigint not null default 0,
  unconfirmed bigint not null default 0,
  primary key (workspace_id, campaign_id)
);
comment on table campaign_counts is 'How many messages of a campaign are in which state; written by triggers of messages.';

create function add_campaign_counts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
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

create function move_campaign_counts() returns trigger language plpgsql as $$
begin
  update campaign_counts c set
    queued = c.queued + d.queued, claimed = c.claimed + d.claimed, sent = c.sent + d.sent, deferred = c.deferred + d.deferred,
    failed = c.failed + d.failed, bounced = c.bounced + d.bounced, suppressed = c.suppressed + d.suppressed,
    unconfirmed = c.unconfirmed + d.unconfirmed
  from (
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
    ) moves group by workspace_id, campaign_id order by workspace_id, campaign_id
  ) d where c.workspace_id = d.workspace_id and c.campaign_id = d.campaign_id;
  return null;
end $$;

create trigger messages_added after insert on messages
  referencing new table as new_rows for each statement execute function add_campaign_counts();
create trigger messages_moved after update on messages
  referencing old table as old_rows new table as new_rows for each statement execute function move_campaign_counts();
create trigger messages_removed after delete on messages
  referencing old table as old_rows for each statement execute function add_campaign_counts();

create table claims (
  id bigint generated always as identity,
  workspace_id bigint not null,
  campaign_id bigint not null,
  worker text not null,
  journal_home text not null,
  message_ids bigint[] not null default '{}',
  created_at timestamptz not null default now(),
  alive_at timestamptz not null default now(),
  taken_at timestamptz,
  given_up_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
comment on table claims is 'A slice of messages held by one worker.';
comment on column claims.journal_home is 'The data folder that holds the journal of the claim.';
comment on column claims.taken_at is 'When another process began to settle it; the worker, should it come back, no longer holds it.';
comment on column claims.given_up_at is
  'When its messages became unconfirmed because the journal could not be read; the worker, should it come back, can still tell.';

create table sender_usage (
  workspace_id bigint not null,
  sender_id bigint not null,
  bucket timestamptz not null,
  count integer not null,
  primary key (workspace_id, sender_id, bucket),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
comment on table sender_usage is
  'Messages handed over or reserved, in buckets of five minutes: the rolling 24 hours of senders.per_day.';

create table sender_shares (
  workspace_id bigint not null,
  sender_id bigint not null,
  worker text not null,
  connections integer not null,
  permits integer not null,
  since timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, sender_id, worker),
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
comment on table sender_shares is
  'What a sending thread may use of a sender''s connections and limit per second. All shares of a sender together never exceed it (docs/decisions/0036-shares-of-a-sender.md).';
comment on column sender_shares.expires_at is 'A share that is not renewed by then goes back to the others.';

create table gmail_messages (
  workspace_id bigint not null,
  message_id bigint not null,
  campaign_id bigint not null,
  sender_id bigint not null,
  remote_id text not null default '',
  thread_id text not null default '',
  rfc_id text not null default '',
  subject text not null default '',
  replied_at timestamptz,
  bounced_at timestamptz,
  bounce_text text not null default '',
  primary key (workspace_id, message_id)
);
alter table gmail_messages alter column workspace_id set statistics 0;
create index gmail_messages_thread on gmail_messages (sender_id, thread_id);
create index gmail_messages_campaign on gmail_messages (campaign_id);
-- Bounces and replies name the message they are about.
create index gmail_messages_rfc on gmail_messages (sender_id, rfc_id) where rfc_id <> '';
create index gmail_messages_bounced on gmail_messages (sender_id, bounced_at) where bounced_at is not null;
comment on table gmail_messages is 'What Gmail calls a message sent through a Gmail account, and its reply or bounce.';
comment on column gmail_messages.rfc_id is 'The Message-ID as sent, where the mailbox may be read: Gmail may replace ours.';
comment on column gmail_messages.subject is 'The subject as sent: a thread has one, even after the contact is renamed.';

create table told_origins (
  workspace_id bigint not null,
  contact_id bigint not null,
  campaign_id bigint not null,
  primary key (workspace_id, contact_id, campaign_id)
);
alter table told_origins alter column workspace_id set statistics 0;
comment on table told_origins is
  'Which campaigns tell a collected contact where their address was found: until one of them is sent, each does (GDPR art. 14 (3) (b)).';
