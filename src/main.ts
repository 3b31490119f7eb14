// Starts the service; nothing else.
import { tuneHeap } from './platform/lifecycle/memory.js';

tuneHeap(); // before the rest is loaded: its first collection sets how far the heap may grow
const { startProcess } = await import('./start.js');
await startProcess();
