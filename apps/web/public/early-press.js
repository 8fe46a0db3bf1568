// Records the last button pressed before the app starts; app/replay-early-input.ts replays it.
;(() => {
  const remember = (event) => {
    const button = event.target instanceof Element && event.target.closest('button')
    if (!button) return
    // Without a handler yet, a form would submit natively and leave the page.
    event.preventDefault()
    window.earlyPress.button = button
  }
  window.earlyPress = { button: null, end: () => document.removeEventListener('click', remember, true) }
  document.addEventListener('click', remember, true)
})()
