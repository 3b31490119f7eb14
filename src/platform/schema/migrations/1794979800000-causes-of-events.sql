-- The W3C traceparent of the request that sent the readings, while spans are recorded: a delivery's span links to it. It is shown to nobody.
alter table tanks_to_judge add column caused_by text;
alter table events add column caused_by text;
