// Runs before the first paint: the chosen colours, or the system's, without a flash.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('hansom-theme')
  } catch {}
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-color-scheme', dark ? 'dark' : 'light')
})()
