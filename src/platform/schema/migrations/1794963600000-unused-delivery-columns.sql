-- What only 2.0 used: the columns of a delivery's place in its line, with their indexes, and the trigger that handed places on.
drop trigger hand_on_deliveries on webhook_deliveries;
drop function hand_on_deliveries;
delete from installed_functions where name = 'hand_on_deliveries';
alter table webhook_deliveries drop column is_next, drop column claimed_until, drop column claimed_by;
