-- users.plan stays the plan that counts: the larger one of what is paid (subscriptions) and what an admin granted
-- (plan_grants). It changes with these rows in one transaction.
create table subscriptions (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  customer_id text,
  subscription_id text,
  plan text,
  billing_interval text check (billing_interval in ('month', 'year')),
  status text not null default 'none',
  period_start timestamptz,
  period_end timestamptz,
  trial_end timestamptz,
  cancel_at_period_end boolean not null default false,
  failed_at timestamptz,
  reversal_id text,
  trial_used boolean not null default false,
  sync_number bigint not null default 0,
  updated_at timestamptz not null default now()
);
-- Unique by the provider.
create index subscriptions_customer on subscriptions (customer_id);
comment on table subscriptions is 'What a workspace pays for, as the payment provider last said.';
comment on column subscriptions.plan is 'Null: nothing is paid for, or the price is none of ours.';
comment on column subscriptions.status is
  'The provider''s word: none, trialing, active, past_due, unpaid, paused, canceled, incomplete, incomplete_expired.';
comment on column subscriptions.failed_at is 'The first of the payments that failed in a row; null: all is paid.';
comment on column subscriptions.reversal_id is
  'The refund or dispute (payment_reversals) that closes the plan although the subscription runs; null: none.';
comment on column subscriptions.sync_number is 'The number of the sync this row shows: an older sync that finishes later is dropped.';

-- Every sync of the provider's state takes a number before it starts, over all processes.
create sequence billing_syncs;

create table plan_grants (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  plan text not null,
  until timestamptz,
  granted_at timestamptz not null default now()
);
comment on table plan_grants is 'Plans an admin granted, such as for a bank transfer.';
comment on column plan_grants.until is 'Null: without an end.';
comment on column plan_grants.granted_at is 'When the plan and its end were set last.';

create table coupons (
  id bigint generated always as identity primary key,
  code text not null,
  code_key text not null unique,
  percent_off integer check (percent_off between 1 and 100),
  amount_off integer check (amount_off > 0),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  months integer check (months between 1 and 36),
  plans text[] not null default '{}',
  max_uses integer check (max_uses > 0),
  per_workspace integer not null default 1 check (per_workspace > 0),
  starts_at timestamptz,
  ends_at timestamptz,
  active boolean not null default true,
  uses integer not null default 0,
  provider_coupon_id text,
  provider_code_id text,
  created_at timestamptz not null default now(),
  check ((percent_off is null) <> (amount_off is null)),
  check (max_uses is null or uses <= max_uses)
);
comment on table coupons is 'Coupons for every workspace, so they belong to the installation.';
comment on column coupons.amount_off is 'Cents of the one currency prices are in.';
comment on column coupons.plans is 'Empty: every paid plan.';
comment on column coupons.uses is 'Held by open checkouts and used by paid ones, together: never more than max_uses.';
comment on column coupons.provider_coupon_id is 'Set once the provider knows it.';

create table checkouts (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  plan text not null,
  billing_interval text not null check (billing_interval in ('month', 'year')),
  coupon_id bigint references coupons (id),
  session_id text,
  url text,
  state text not null default 'open' check (state in ('open', 'paid', 'failed', 'replaced')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, id)
);
-- One payable session for a workspace: nobody can pay twice.
create unique index checkouts_open on checkouts (workspace_id) where state = 'open';
create index checkouts_session on checkouts (session_id);
comment on table checkouts is 'Attempts to pay for a first subscription.';

create table coupon_uses (
  workspace_id bigint not null,
  checkout_id bigint not null,
  coupon_id bigint not null,
  state text not null default 'held' check (state in ('held', 'used')),
  at timestamptz not null default now(),
  primary key (workspace_id, checkout_id),
  foreign key (workspace_id, checkout_id) references checkouts (workspace_id, id) on delete cascade
);
create index coupon_uses_coupon on coupon_uses (coupon_id, workspace_id);
comment on table coupon_uses is 'Which checkout holds or used which coupon.';

create table billing_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);
comment on table billing_events is 'Webhook events of the provider that were received: a replayed one does nothing.';

create table invoices (
  id text not null,
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
  paid_at timestamptz,
  primary key (workspace_id, id)
);
create index invoices_workspace on invoices (workspace_id, created_at desc);
create index invoices_paid on invoices (paid_at) where paid_at is not null;
comment on table invoices is 'Invoices of the provider.';
comment on column invoices.id is 'The provider''s id.';
comment on column invoices.total is 'Cents.';
comment on column invoices.paid is 'Cents.';

create table payment_reversals (
  id text not null,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  kind text not null check (kind in ('refund', 'dispute')),
  invoice_id text,
  amount bigint not null,
  currency text not null,
  status text not null,
  reason text not null default '',
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
create index payment_reversals_workspace on payment_reversals (workspace_id, created_at desc);
create index payment_reversals_latest on payment_reversals (created_at desc);
comment on table payment_reversals is 'Refunds and disputes, as the provider last said.';
comment on column payment_reversals.invoice_id is 'The invoice that was paid; null: a payment without one.';
comment on column payment_reversals.amount is 'Cents.';
comment on column payment_reversals.status is 'The provider''s word. A failed refund and a won dispute leave the payment as it was.';

create table usage_months (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  month date not null,
  emails bigint not null default 0 check (emails >= 0),
  whatsapp_messages bigint not null default 0 check (whatsapp_messages >= 0),
  pages bigint not null default 0 check (pages >= 0),
  primary key (workspace_id, month)
);
comment on table usage_months is 'What is used or reserved of a month''s limits, changed where the work is decided.';
comment on column usage_months.month is 'Its first day, in UTC.';

-- Returns what a campaign reserved and did not use, in the statement that ends it, by whatever code that is done.
create function settle_campaign() returns trigger language plpgsql as $$
declare used bigint;
begin
  select n.sent + n.bounced + n.unconfirmed + n.claimed - new.reserved_before into used from campaign_counts n
    where n.workspace_id = new.workspace_id and n.campaign_id = new.id;
  used := least(greatest(coalesce(used, 0), 0), new.reserved);
  execute format('update usage_months set %1$I = greatest(0, %1$I - $1) where workspace_id = $2 and month = $3', new.reserved_of)
    using new.reserved - used, new.workspace_id, new.reserved_month;
  new.reserved := used;
  return new;
end $$;
create trigger campaigns_settled before update of state on campaigns for each row
  when (new.state in ('draft', 'sent', 'cancelled', 'failed') and new.reserved > 0) execute function settle_campaign();
