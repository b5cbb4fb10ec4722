// @ts-check
// What has to be known before the page is drawn: the reader's choice of light or dark (without one the page is as the system is), and that
// scripts run, so that narrow screens do not show the list of pages until it is closed.
(() => {
  document.documentElement.dataset.scripts = 'run';
  const chosen = localStorage.getItem('payframe-docs-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
