create table sending_domains (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  domain text not null,
  state text not null default 'pending' check (state in ('pending', 'verified', 'failing', 'unknown')),
  findings jsonb not null default '[]',
  verified_at timestamptz,
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  checks integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, domain)
);
create index sending_domains_due on sending_domains (next_check_at);
comment on table sending_domains is 'Domains a workspace sends from, with what DNS says about them.';
comment on column sending_domains.domain is 'In A-labels and lower case, without a dot at the end.';
comment on column sending_domains.findings is 'What the last check found, record by record.';
comment on column sending_domains.verified_at is 'When every required record was found for the first time.';
comment on column sending_domains.checks is 'How many checks in a row had the same result: the more, the later the next one.';

create table dkim_keys (
  id bigint generated always as identity,
  workspace_id bigint not null,
  domain_id bigint not null,
  selector text not null,
  rsa_public text not null,
  rsa_private_encrypted text not null,
  ed25519_public text not null,
  ed25519_private_encrypted text not null,
  state text not null default 'next' check (state in ('next', 'active', 'retired')),
  rsa_found boolean not null default false,
  ed25519_found boolean not null default false,
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, domain_id) references sending_domains (workspace_id, id) on delete cascade
);
create unique index dkim_keys_current on dkim_keys (workspace_id, domain_id, state) where state <> 'retired';
comment on table dkim_keys is 'Keys that sign the emails of a sending domain (DKIM): each an RSA and an Ed25519 pair.';
comment on column dkim_keys.selector is 'Selector of the RSA key; that of the Ed25519 key has an e at its end.';
comment on column dkim_keys.state is 'next: signs once DNS has it. active: signs. retired: signed emails that may still be on their way.';
comment on column dkim_keys.rsa_found is 'The last check that learned it found the public key in DNS.';
