create table contact_messages (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  message text not null,
  created_at timestamptz not null default now(),
  mailed_at timestamptz
);
comment on table contact_messages is 'What visitors write to the operator of the installation. Belongs to no workspace.';
comment on column contact_messages.mailed_at is 'When the mail server took the email that passes it on; null until then.';
