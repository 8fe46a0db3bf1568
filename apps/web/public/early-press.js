// What is pressed before the page is alive is remembered, and pressed again by it (app/carry-over.ts).
;(() => {
  const remember = (event) => {
    const button = event.target instanceof Element && event.target.closest('button')
    if (!button) return
    // A form that nobody listens to yet would leave the page.
    event.preventDefault()
    window.earlyPress.button = button
  }
  window.earlyPress = { button: null, end: () => document.removeEventListener('click', remember, true) }
  document.addEventListener('click', remember, true)
})()
