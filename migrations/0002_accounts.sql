create table workspaces (
  id bigint generated always as identity primary key,
  name text not null,
  company text not null default '',
  postal_address text not null default '',
  created_at timestamptz not null default now()
);
comment on table workspaces is 'A customer. Every row of a customer carries the id of its workspace.';

create table users (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  email text not null,
  email_key text not null unique,
  name text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  plan text not null default 'free',
  password_hash text,
  auth_provider text not null default 'credentials' check (auth_provider in ('credentials', 'google')),
  email_verified_at timestamptz,
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);
create index users_workspace on users (workspace_id);
comment on table users is 'People who log in. Found by email address before their workspace is known, so the table is not spread by workspace.';
comment on column users.email_key is 'The email address in the form by which it is unique over the installation.';
comment on column users.plan is 'The plan that counts: the larger one of what is paid (subscriptions) and what an admin granted (plan_grants).';
comment on column users.password_hash is 'Null: the user logs in with Google only.';
comment on column users.suspended_at is 'Set: login is refused, every token is invalid and nothing is sent for the workspace.';

create table sessions (
  id text primary key,
  user_id bigint not null references users (id) on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
comment on table sessions is 'Logged-in devices. A token is valid as long as its session is.';

create table user_tokens (
  hash text primary key,
  user_id bigint not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  expires_at timestamptz not null,
  used_at timestamptz,
  name text,
  password_hash text
);
create index user_tokens_user on user_tokens (user_id);
comment on table user_tokens is 'Single-use links in emails. Only the hash of a token is stored.';
-- A person who signed up with the address of somebody else must not have their password confirmed by another sign-up.
comment on column user_tokens.name is 'The name given at the sign-up the link was sent for; the link confirms that sign-up only.';
comment on column user_tokens.password_hash is 'The password given at the sign-up the link was sent for.';

create table identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);
comment on table identities is
  'Users at an OpenID Connect issuer. Issuer and subject are the key and never the address, which people change and issuers reassign.';
