-- What is kept of a deleted account: who was never to be written to again, as keyed hashes that nobody can read back.
-- `owner` is the hash of the account's own address: should the same person come back, the promise holds on.
create table kept_suppressions (
  owner bytea not null,
  channel text not null check (channel in ('email', 'whatsapp')),
  address_hash bytea not null,
  reason text not null,
  primary key (owner, channel, address_hash)
);
