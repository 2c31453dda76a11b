-- Plans and payments ----------------------------------------------------------------------------------------------
-- What a workspace pays for, as the payment provider told us last. users.plan stays the plan that counts: it is the larger
-- of what is paid here and what was set by hand (plan_grants), and is changed with these rows in one transaction.
create table subscriptions (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  customer_id text unique,
  subscription_id text unique,
  -- null: nothing is paid for, or the price is none of ours.
  plan text,
  billing_interval text check (billing_interval in ('month', 'year')),
  -- The provider's word: none, trialing, active, past_due, unpaid, paused, canceled, incomplete, incomplete_expired.
  status text not null default 'none',
  period_start timestamptz,
  period_end timestamptz,
  trial_end timestamptz,
  cancel_at_period_end boolean not null default false,
  -- The first of the payments that failed in a row; null while all is paid.
  failed_at timestamptz,
  trial_used boolean not null default false,
  -- The number of the reading this row shows: an older reading that comes in later is dropped.
  reading bigint not null default 0,
  updated_at timestamptz not null default now()
);

-- Every reading of the provider's state takes a number before it asks, over all processes.
create sequence billing_readings;

-- Plans set by an admin, for bank transfer and the like.
create table plan_grants (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  plan text not null,
  -- null is without an end.
  until timestamptz,
  note text not null default '',
  granted_at timestamptz not null default now()
);
insert into plan_grants (workspace_id, plan)
  select workspace_id, plan from users where lower(plan) <> 'free' on conflict do nothing;

create table coupons (
  id bigint generated always as identity primary key,
  code text not null,
  code_key text not null unique,
  percent_off integer check (percent_off between 1 and 100),
  -- Cents of the one currency prices are in.
  amount_off integer check (amount_off > 0),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  months integer check (months between 1 and 36),
  -- Empty: every paid plan.
  plans text[] not null default '{}',
  max_uses integer check (max_uses > 0),
  per_workspace integer not null default 1 check (per_workspace > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  active boolean not null default true,
  -- Held by open checkouts and used by paid ones, together: never more than max_uses.
  uses integer not null default 0,
  -- Set once the provider knows it.
  provider_coupon_id text,
  provider_code_id text,
  created_at timestamptz not null default now(),
  check ((percent_off is null) <> (amount_off is null)),
  check (max_uses is null or uses <= max_uses)
);

create table checkouts (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  plan text not null,
  billing_interval text not null check (billing_interval in ('month', 'year')),
  coupon_id bigint references coupons (id),
  session_id text unique,
  url text,
  state text not null default 'open' check (state in ('open', 'paid', 'failed', 'replaced')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- One payable session a workspace: nobody can pay twice.
create unique index checkouts_open on checkouts (workspace_id) where state = 'open';
create index checkouts_workspace on checkouts (workspace_id, id desc);

create table coupon_uses (
  checkout_id bigint primary key references checkouts (id) on delete cascade,
  coupon_id bigint not null,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  state text not null default 'held' check (state in ('held', 'used')),
  at timestamptz not null default now()
);
create index coupon_uses_coupon on coupon_uses (coupon_id, workspace_id);
create index coupon_uses_workspace on coupon_uses (workspace_id);

-- Events of the provider that came in, so that a replayed one does nothing.
create table billing_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);

create table invoices (
  id text primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  number text not null default '',
  status text not null,
  total bigint not null,
  paid bigint not null default 0,
  currency text not null,
  period_start timestamptz,
  period_end timestamptz,
  hosted_url text,
  pdf_url text,
  created_at timestamptz not null,
  paid_at timestamptz
);
create index invoices_workspace on invoices (workspace_id, created_at desc);
create index invoices_paid on invoices (paid_at) where paid_at is not null;

-- Limits ----------------------------------------------------------------------------------------------------------
-- What is used or reserved of a month's limits. One row a workspace and month (UTC), changed where the work is decided.
create table usage_months (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  month date not null,
  emails bigint not null default 0 check (emails >= 0),
  whatsapp_messages bigint not null default 0 check (whatsapp_messages >= 0),
  pages bigint not null default 0 check (pages >= 0),
  primary key (workspace_id, month)
);

-- What a campaign reserved in `reserved_month`, and in months before it (tries again later count when they happen).
alter table campaigns add column reserved bigint not null default 0;
alter table campaigns add column reserved_month date;
alter table campaigns add column reserved_before bigint not null default 0;

-- Gives back what a campaign reserved and did not use, in the statement that ends it, whoever does that.
create function settle_campaign() returns trigger language plpgsql as $$
declare used bigint;
begin
  select n.sent + n.bounced + n.unconfirmed + n.claimed - new.reserved_before into used from campaign_counts n where n.campaign_id = new.id;
  used := least(greatest(coalesce(used, 0), 0), new.reserved);
  if new.channel = 'whatsapp' then
    update usage_months set whatsapp_messages = greatest(0, whatsapp_messages - (new.reserved - used))
      where workspace_id = new.workspace_id and month = new.reserved_month;
  else
    update usage_months set emails = greatest(0, emails - (new.reserved - used))
      where workspace_id = new.workspace_id and month = new.reserved_month;
  end if;
  new.reserved := used;
  return new;
end $$;
create trigger campaigns_settled before update of state on campaigns for each row
  when (new.state in ('draft', 'sent', 'cancelled', 'failed') and new.reserved > 0) execute function settle_campaign();

-- Campaigns begun this month before there was a reservation.
update campaigns c set reserved_month = date_trunc('month', now() at time zone 'utc')::date,
    reserved = n.sent + n.bounced + n.unconfirmed + n.claimed
      + case when c.state in ('sending', 'paused') then n.queued + n.deferred else 0 end
  from campaign_counts n
  where n.campaign_id = c.id and (c.started_at at time zone 'utc' >= date_trunc('month', now() at time zone 'utc')
    or c.state in ('sending', 'paused'));
insert into usage_months (workspace_id, month, emails)
  select workspace_id, reserved_month, sum(reserved) from campaigns where reserved_month is not null group by 1, 2;
