-- What a sending thread may use of a sender's connections and of its limit a second. All shares of a sender together are
-- never more than the sender has; a share that is not renewed goes back to the others.
create table sender_shares (
  sender_id bigint not null references senders (id) on delete cascade,
  worker text not null,
  connections integer not null,
  permits integer not null,
  since timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (sender_id, worker)
);

-- `taken_at`: set by who settles a claim that was left behind; its worker, should it come back, holds it no more.
-- `given_up_at`: its journal could not be read, so its messages are unconfirmed; should the worker come back, it can tell.
alter table claims add column taken_at timestamptz, add column given_up_at timestamptz;
