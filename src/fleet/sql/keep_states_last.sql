-- For the rest of the transaction, triggers leave the tanks' states to the caller, who calls renew_tank_states() once, last. All writers
-- lock readings, then their counts, then states: one that kept states after each of its statements would hold states and wait for counts,
-- or readings, of somebody who waits for these states, a deadlock. Nothing else sets this, and it is all that a writer can tell triggers.
create or replace function keep_states_last() returns void language plpgsql as $$
begin
  perform set_config('tank_monitoring.states', 'by_caller', true);
end $$;
