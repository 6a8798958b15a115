import { mount } from 'svelte';
import App from './App.svelte';
import { chooseLanguage, keptLanguage } from './lib/i18n';
import './styles/tokens.css';
import './styles/base.css';

// Without the other catalogue there is still English.
void chooseLanguage(keptLanguage())
  .catch(() => undefined)
  .then(() => {
    const target = document.getElementById('app')!;
    target.replaceChildren();
    mount(App, { target });
  });
