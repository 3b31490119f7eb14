// Starts the page.
import { render } from 'preact';
import { App } from './app.js';
import { LANGUAGE } from './format.js';
import './styles/page.css';
import './styles/list.css';
import './styles/plan.css';
import './styles/tank.css';
import './styles/map.css';
import './styles/events.css';
import './styles/form.css';
import './styles/sensors.css';
import './styles/settings.css';
import './styles/runs.css';

document.documentElement.lang = LANGUAGE;
const root = document.getElementById('page');
if (root !== null) render(<App />, root);
