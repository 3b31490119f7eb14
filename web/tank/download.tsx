// What the plot shows, as a CSV file. Fetched with the key and handed over from memory: a plain link could not send it.
import { useState } from 'preact/hooks';
import type { ApiClient } from '../api/client.js';
import { Refusal, Unreachable } from '../api/troubles.js';
import { Icon } from '../parts/icons.js';
import type { Range } from '../route.js';
import { seriesParameters } from './range.js';

interface Props {
  readonly client: ApiClient;
  readonly tankId: string;
  readonly name: string;
  readonly range: Range;
}

export function DownloadCsv({ client, tankId, name, range }: Props) {
  const [failure, setFailure] = useState('');
  const download = async () => {
    setFailure('');
    try {
      const path = `tanks/${encodeURIComponent(tankId)}/telemetry/series`;
      save(await client.csv(path, seriesParameters(range)), `${fileName(name)}.csv`);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Unreachable)) throw error;
      setFailure(error.message);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void download()}>
        <Icon name="download" />
        Download CSV
      </button>
      <span role="alert">{failure}</span>
    </>
  );
}

function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
