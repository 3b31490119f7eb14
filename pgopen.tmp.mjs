import { openEmbeddedPostgres } from './build/database/embedded-postgres.js';
const e=await openEmbeddedPostgres({directory:'/work/main/.data/bench/postgres',database:'postgres',durable:false,settings:{shared_buffers:'1GB',max_wal_size:'4GB',maintenance_work_mem:'256MB',max_connections:'100'}});
const u=new URL(e.url); u.pathname='/tank_bench'; (await import('node:fs')).writeFileSync('/tmp/largeurl',u.href);
process.on('SIGTERM',async()=>{await e.release();process.exit(0)}); setInterval(()=>{},1000);
