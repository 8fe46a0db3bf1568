// Applies the chosen color scheme, or the system's, before the first paint to avoid a flash.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('hansom-theme')
  } catch {}
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-color-scheme', dark ? 'dark' : 'light')
})()
