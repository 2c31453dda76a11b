-- Contacts and list members number in millions: they carry no foreign keys (docs/decisions/0006-no-foreign-keys-on-large-tables.md).
-- `set statistics 0` of workspace_id here and below: docs/decisions/0013-contact-search.md.

create table lists (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  name text not null,
  optin text not null default 'single' check (optin in ('single', 'double')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
comment on table lists is 'Lists of contacts.';
comment on column lists.optin is 'double: a member is pending until they confirm by email.';

create table contacts (
  id bigint generated always as identity,
  workspace_id bigint not null,
  email text,
  email_key text,
  phone text,
  bsuid text,
  name text not null default '',
  attributes jsonb not null default '{}',
  source text not null default 'manual',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (email is not null or phone is not null or bsuid is not null),
  -- Also the order of every list of contacts: one index less for each of a million rows.
  primary key (workspace_id, id)
);
alter table contacts alter column workspace_id set statistics 0;
create unique index contacts_email on contacts (workspace_id, email_key);
create unique index contacts_phone on contacts (workspace_id, phone) where email_key is null;
create unique index contacts_bsuid on contacts (workspace_id, bsuid) where bsuid is not null;
-- The sender of a WhatsApp message is looked up by phone number, also among contacts with an email address.
create index contacts_by_phone on contacts (workspace_id, phone) where phone is not null;
comment on table contacts is 'The people a workspace may write to.';
comment on column contacts.email_key is 'The email address in the form by which it is unique in the workspace.';
comment on column contacts.phone is 'E.164.';
comment on column contacts.bsuid is 'Meta''s id of a person who hides their phone number; it holds for one business portfolio.';

create table list_members (
  workspace_id bigint not null,
  list_id bigint not null,
  contact_id bigint not null,
  status text not null default 'confirmed' check (status in ('confirmed', 'pending', 'unsubscribed')),
  at timestamptz not null default now(),
  asked_at timestamptz,
  asks smallint not null default 0,
  primary key (workspace_id, list_id, contact_id)
);
alter table list_members alter column workspace_id set statistics 0;
create index list_members_contact on list_members (workspace_id, contact_id);
-- The pending rows are the queue of confirmation emails: no way to add a member can forget to send one. Ordered by
-- workspace, so that workspaces are served in turns.
create index list_members_to_ask on list_members (workspace_id, list_id, contact_id) where status = 'pending' and asked_at is null;
comment on table list_members is 'Which contact is on which list.';
comment on column list_members.asked_at is 'When a pending member was last sent the confirmation email; null: not yet.';
comment on column list_members.asks is 'How many confirmation emails the member was sent.';

create table suppressions (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  channel text not null default 'email' check (channel in ('email', 'whatsapp')),
  address text not null,
  address_key text not null,
  reason text not null,
  note text not null default '',
  campaign_id bigint,
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
alter table suppressions alter column workspace_id set statistics 0;
create unique index suppressions_address on suppressions (workspace_id, channel, address_key);
comment on table suppressions is 'Addresses a workspace never sends to, with the reason.';
comment on column suppressions.campaign_id is 'The campaign that led to it.';

create table retained_suppressions (
  owner bytea not null,
  channel text not null check (channel in ('email', 'whatsapp')),
  address_hash bytea not null,
  reason text not null,
  primary key (owner, channel, address_hash)
);
comment on table retained_suppressions is
  'The suppressions of deleted accounts, as keyed hashes that nobody can read back (docs/decisions/0019-data-of-deleted-accounts.md).';
comment on column retained_suppressions.owner is
  'The hash of the account''s own email address: the suppressions hold again when the same person signs up again.';

create table erased_addresses (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  channel text not null check (channel in ('email', 'whatsapp')),
  address_hash bytea not null,
  suppression text,
  at timestamptz not null default now(),
  primary key (workspace_id, channel, address_hash)
);
comment on table erased_addresses is 'Erased people, by whom imports and every other way in recognize them.';
comment on column erased_addresses.address_hash is 'HMAC-SHA256 of the address under SECRET_KEY.';
comment on column erased_addresses.suppression is
  'Why the address was suppressed, for when the person comes back by their own action.';

create table left_lists (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  address_hash bytea not null,
  list_id bigint not null,
  at timestamptz not null default now(),
  primary key (workspace_id, address_hash, list_id),
  foreign key (workspace_id, list_id) references lists (workspace_id, id) on delete cascade
);
create index left_lists_list on left_lists (workspace_id, list_id);
comment on table left_lists is 'Lists that removed contacts had unsubscribed from, by the hash of erased_addresses.';

create table imports (
  id bigint generated always as identity,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  list_id bigint,
  file_name text not null,
  file_path text not null,
  file_size bigint not null default 0,
  mapping jsonb not null,
  consent jsonb,
  consents bigint not null default 0,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  contact_limit integer,
  total bigint not null default 0,
  alive_at timestamptz not null default now(),
  imported bigint not null default 0,
  updated bigint not null default 0,
  skipped bigint not null default 0,
  error_count bigint not null default 0,
  progress double precision not null default 0,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, list_id) references lists (workspace_id, id)
);
comment on table imports is 'Imports of contacts from files.';
comment on column imports.file_size is 'Bytes: what waits in a workspace is bounded.';
comment on column imports.consent is 'What the people of the file agreed to hear of on WhatsApp: given once for the file, recorded for each contact.';
comment on column imports.consents is 'For how many contacts the consent was recorded so far.';
comment on column imports.contact_limit is 'The most contacts the workspace may have, by its plan at the time; null: no limit.';
comment on column imports.total is 'Rows of the file handled so far: where the next run resumes after a crash.';
comment on column imports.alive_at is 'When the run was last seen.';

create table import_errors (
  workspace_id bigint not null,
  import_id bigint not null,
  row bigint not null,
  reason text not null,
  line text not null default '',
  primary key (workspace_id, import_id, row),
  foreign key (workspace_id, import_id) references imports (workspace_id, id) on delete cascade
);
comment on table import_errors is 'Rows of a file that were not imported, with the reason.';

create table contact_origins (
  id bigint generated always as identity,
  workspace_id bigint not null,
  contact_id bigint not null,
  source_url text not null,
  found_at timestamptz not null,
  job_id bigint,
  evidence text not null default '',
  basis text check (basis in ('consent', 'customer', 'legitimate_interest')),
  basis_note text not null default '',
  added_by bigint,
  at timestamptz not null default now(),
  primary key (workspace_id, id)
);
alter table contact_origins alter column workspace_id set statistics 0;
create index contact_origins_contact on contact_origins (workspace_id, contact_id, id);
comment on table contact_origins is
  'Where a collected contact was found and why it may be written to. Rows are only added (GDPR art. 14, art. 5 (2)).';
comment on column contact_origins.basis is 'The lawful basis; null: not stated yet, so no campaign writes to the contact.';
