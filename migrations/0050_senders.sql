alter table senders add column ramp_day smallint not null default 0, add column ramp_hold jsonb;
comment on column senders.ramp_day is 'The last day of its ramp-up plan that was begun, from 0.';
comment on column senders.ramp_hold is 'The results for which its plan stays on that day: { sent, hard, complained, limit, at }; null: it goes on.';
update senders set ramp_day = least(greatest(floor(extract(epoch from now() - ramp_from) / 86400), 0), ramp_days)
  where ramp_days is not null and ramp_from is not null;
