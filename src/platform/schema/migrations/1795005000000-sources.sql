-- Sources: what the messages of senders look like. "rules" is where things are in them. "customer_id" is null for everybody's.
create table sources (
  id           text collate "C" primary key check (id ~ '^[A-Za-z0-9._-]{1,64}$' and id not in ('chirpstack', 'tts', 'generic')),
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  name         text not null,
  built_in     boolean not null default false,
  customer_id  text collate "C" references customers (id),
  rules        jsonb not null,
  constraint sources_times_are_writable check (
    created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
    and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z')
);
create index sources_newest_first on sources (created_at desc, id desc);
create index sources_of_customer on sources (customer_id);
create trigger sources_touch before update on sources for each row execute function touch_updated_at();

-- Tokens in addresses that senders post to, one for a source and customer ('' for none), each good as long as the key that made it.
create table source_tokens (
  source_id   text collate "C" not null references sources (id) on delete cascade,
  customer    text collate "C" not null,
  hash        bytea not null unique,
  key_prefix  text collate "C" not null references api_keys (prefix) on delete cascade,
  primary key (source_id, customer)
);
create index source_tokens_of_key on source_tokens (key_prefix);

-- What is in quarantine may come of any source. "detail" says what the source found, "topic" is that of MQTT; "form" is null for one message,
-- 'body' for all that was sent where no messages were found in it, and 'text' for what is no JSON.
alter table quarantined_uplinks
  drop constraint quarantined_uplinks_source_check,
  add column detail text,
  add column topic text,
  add column form text check (form in ('body', 'text'));

insert into sources (id, name, built_in, rules)
select id, name, true, jsonb_build_object(
  'messages', null, 'device', device, 'time', time, 'payload', payload, 'channels', null, 'battery_percent', battery,
  'rssi_dbm', rssi, 'snr_db', snr, 'ignore_when', coalesce(ignore_when, '[]'))
from jsonb_to_recordset($$[
  {"id": "loriot", "name": "LORIOT", "device": {"path": "EUI"}, "time": {"path": "ts", "time_zone": "UTC"},
   "payload": [{"path": "data", "as": "hex"}], "rssi": {"path": "gws[0].rssi"}, "snr": {"path": "gws[0].snr"}},
  {"id": "thingpark", "name": "Actility ThingPark", "device": {"path": "DevEUI_uplink.DevEUI"},
   "time": {"path": "DevEUI_uplink.Time", "time_zone": "UTC"},
   "payload": [{"path": "DevEUI_uplink.payload", "as": "json"}, {"path": "DevEUI_uplink.payload_hex", "as": "hex"}],
   "rssi": {"path": "DevEUI_uplink.LrrRSSI"}, "snr": {"path": "DevEUI_uplink.LrrSNR"}},
  {"id": "helium", "name": "Helium console", "device": {"path": "dev_eui"}, "time": {"path": "reported_at", "time_zone": "UTC"},
   "payload": [{"path": "decoded.payload", "as": "json"}, {"path": "payload", "as": "base64"}],
   "rssi": {"path": "hotspots[0].rssi"}, "snr": {"path": "hotspots[0].snr"}},
  {"id": "milesight", "name": "Milesight gateway", "device": {"path": "devEUI"}, "time": {"path": "time", "time_zone": "UTC"},
   "payload": [{"path": "data", "as": "base64"}], "rssi": {"path": "rxInfo[0].rssi"}, "snr": {"path": "rxInfo[0].loRaSNR"}},
  {"id": "sigfox", "name": "Sigfox callback", "device": {"path": "device"}, "time": {"path": "time", "time_zone": "UTC"},
   "payload": [{"path": "data", "as": "hex"}], "rssi": {"path": "rssi"}, "snr": {"path": "snr"}},
  {"id": "tasmota", "name": "Tasmota (MQTT, tele/+/SENSOR)", "device": {"topic": 2}},
  {"id": "shelly", "name": "Shelly, first generation (MQTT, shellies/+/adc/0)", "device": {"topic": 2}},
  {"id": "shelly-rpc", "name": "Shelly, later generations (MQTT, +/events/rpc)", "device": {"topic": 1},
   "time": {"path": "params.ts", "time_zone": "UTC"}, "payload": [{"path": "params", "as": "json"}],
   "battery": {"path": "params.devicepower:0.battery.percent"}, "rssi": {"path": "params.wifi.rssi"},
   "ignore_when": [{"path": "method", "equals": "NotifyEvent"}]},
  {"id": "zigbee2mqtt", "name": "Zigbee2MQTT (MQTT, zigbee2mqtt/+)", "device": {"topic": 2},
   "time": {"path": "last_seen", "time_zone": "UTC"}, "battery": {"path": "battery"}}
]$$) source (
  id text, name text, device jsonb, time jsonb, payload jsonb, battery jsonb, rssi jsonb, snr jsonb, ignore_when jsonb);
