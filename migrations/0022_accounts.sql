alter table users add column time_zone text;
comment on column users.time_zone is 'IANA name, such as Europe/Berlin, in which times are shown and planned. Null: that of the browser.';
