-- The slow start of a Gmail account is a ramp-up plan like any other: 14 days lead above what Google lets an account send.
-- gmail_accounts.ramp_up and ramp_from stay for processes of the version before; nothing reads them any more.
update senders s set ramp_days = 14, ramp_from = g.ramp_from,
  ramp_day = case when g.ramp_from is null then 0
    else least(greatest(floor(extract(epoch from now() - g.ramp_from) / 86400), 0), 14) end
  from gmail_accounts g where g.workspace_id = s.workspace_id and g.sender_id = s.id and g.ramp_up and s.ramp_days is null;
comment on column senders.ramp_days is 'Length of its ramp-up plan in days; null: none. 14: also the slow start of a Gmail account.';
comment on column gmail_accounts.ramp_up is 'Unused since senders.ramp_days says it.';
comment on column gmail_accounts.ramp_from is 'Unused since senders.ramp_from says it.';
