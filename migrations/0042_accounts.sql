alter table sessions add column wrote_at timestamptz;
comment on column sessions.wrote_at is 'When a request of the session last changed something: a read replica that is older is not read for it. Null: it did not, or there is no replica.';
