-- Who a user is at an outside issuer (OpenID Connect). The issuer and its subject are the key, never the address, which
-- people change and issuers hand on.
create table identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

-- A verification link confirms the sign-up it was sent for: whoever signed up with someone else's address before or
-- after cannot have his password confirmed by it.
alter table user_tokens add column name text;
alter table user_tokens add column password_hash text;
