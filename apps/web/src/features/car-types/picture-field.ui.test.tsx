import carTypes from '@hansom/domain/languages/packs/en/carTypes.json'
import { categories } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { PictureField } from './picture-field.tsx'

const files = Object.keys(import.meta.glob('../../../public/cars/*.svg', { query: '?url' }))

test.each(categories)('pictures of a %s installation -> each has a file and a name', (category) => {
  storeTestSettings({ category })
  startEnglish(Object.fromEntries(Object.entries(carTypes).map(([key, text]) => [`carTypes.${key}`, text])))
  render(
    <QueryClientProvider client={queryClient}>
      <PictureField current={null} chosen={{ url: null }} onChoose={() => {}} />
    </QueryClientProvider>,
  )
  const pictures = screen.getAllByRole('img').filter((image) => image instanceof HTMLImageElement)
  expect(pictures).toHaveLength(5)
  for (const { src, alt } of pictures) {
    expect(files).toContain(`../../../public${new URL(src).pathname}`)
    expect(alt).not.toMatch(/^carTypes\./)
  }
  expect(pictures.some(({ alt }) => alt === 'Bicycle')).toBe(category === 'delivery')
})
