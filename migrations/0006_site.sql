-- What visitors write to the operator of this installation. Belongs to no workspace.
create table contact_messages (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  message text not null,
  created_at timestamptz not null default now(),
  -- When the mail server took the letter that passes it on; null until then.
  mailed_at timestamptz
);
