// The readings that devices send, and that are imported to compare.

/** Reading number n of all is of tank n, n + 1 … in turn, a second later every time round. */
export function readingOf(n, tanks, from, fill = 50 + (n % 40) / 10) {
  return {
    tank_id: tanks[n % tanks.length],
    created_at: new Date(from + Math.floor(n / tanks.length) * 1000).toISOString(),
    fill_percentage: fill,
  };
}

/** The same reading as ChirpStack would post it, of a sensor that measures the level from above: 0 mm is full, 1,000 mm is empty. */
export function uplinkOf(n, devices, from, entries = 0) {
  const { tank_id: devEui, created_at: time, fill_percentage: fill } = readingOf(n, devices, from);
  return {
    deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
    time,
    deviceInfo: {
      tenantName: 'tanks',
      applicationName: 'tanks',
      deviceProfileName: 'EM400-UDL',
      deviceName: devEui,
      devEui,
    },
    devAddr: '00189440',
    adr: true,
    dr: 5,
    fCnt: n,
    fPort: 85,
    confirmed: false,
    data: 'AXVcA2cBAQSC6AMFAAA=',
    object: {
      battery: 92,
      temperature: 25.7,
      distance: 1000 - fill * 10,
      position: 'normal',
      ...(entries > 0 && { log: historyOf(time, entries) }),
    },
    rxInfo: [
      { gatewayId: '0016c001f153a14c', uplinkId: n, rssi: -97, snr: 6.5, channel: 2, crcStatus: 'CRC_OK' },
    ],
    txInfo: {
      frequency: 868100000,
      modulation: { lora: { bandwidth: 125000, spreadingFactor: 7, codeRate: 'CR_4_5' } },
    },
  };
}

/** What was measured in the milliseconds before. */
function historyOf(time, entries) {
  const end = Date.parse(time);
  return Array.from({ length: entries }, (_, i) => ({ at: end - 1 - i, distance: 500 }));
}
