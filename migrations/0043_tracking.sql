alter table events add column merged boolean not null default false;
comment on column events.merged is
  'Retention made it of all events of its day that are alike; what could tell a reader apart is gone, and its class stays.';
