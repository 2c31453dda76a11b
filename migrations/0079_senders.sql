-- The last real email that a sending domain was checked with (docs/decisions/0093-loopback-checks.md).
create table loopback_checks (
  id bigint generated always as identity,
  workspace_id bigint not null,
  domain_id bigint not null,
  sender_id bigint not null,
  from_address text not null,
  host text not null,
  nonce text not null,
  started_at timestamptz not null default now(),
  expires_at timestamptz not null,
  sent_at timestamptz,
  response text,
  failure text,
  arrived_at timestamptz,
  result jsonb,
  primary key (workspace_id, id),
  unique (workspace_id, domain_id),
  foreign key (workspace_id, domain_id) references sending_domains (workspace_id, id) on delete cascade,
  foreign key (workspace_id, sender_id) references senders (workspace_id, id) on delete cascade
);
-- The address that the email goes to has this id alone.
create index loopback_checks_id on loopback_checks (id);
comment on table loopback_checks is 'One real email for each sending domain at most, sent to this installation itself: how it arrived.';
comment on column loopback_checks.host is 'Where the email is to arrive.';
comment on column loopback_checks.nonce is 'Stands in its subject, under the DKIM signature.';
comment on column loopback_checks.sent_at is 'When it was handed to the mail server; null: not yet.';
comment on column loopback_checks.response is 'What the mail server said when it took it.';
comment on column loopback_checks.failure is 'Why it did not leave; null: it may still.';
comment on column loopback_checks.arrived_at is 'When it arrived; without a result it is being judged.';
comment on column loopback_checks.result is 'What was found when it arrived: see server/engine/dmarc/authentication.ts.';
