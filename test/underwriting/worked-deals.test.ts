import assert from 'node:assert/strict';
import { isKnown, type Maybe } from '../../src/absence.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { expenseLines } from '../../src/underwriting/expense-lines.js';
import { suggestOffer } from '../../src/underwriting/offer-range.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import type { Underwriting } from '../../src/underwriting/underwriting.js';
import { workedDeals, type WorkedDeal } from './worked-deals.js';

const underwrite = createUnderwrite(assumptionSet);
const show = (figure: Maybe<unknown>): string => (isKnown(figure) ? String(figure.value) : '-');

function figuresOf({ inputs }: WorkedDeal): Underwriting {
  return underwrite(inputs);
}

describe('worked deals', () => {
  it('have the figures of the sheet to the cent', () => {
    for (const deal of workedDeals) {
      const figures = figuresOf(deal);
      const expenses = isKnown(figures.expenses) ? figures.expenses.value : undefined;
      const told: Record<string, string> = {
        gross_potential_rent: show(figures.grossPotentialRent),
        out_vacancy_pct: show(figures.vacancyPct),
        effective_gross_income: show(figures.effectiveGrossIncome),
        out_operating_expenses: show(figures.operatingExpenses),
        operating_expenses_basis: show(figures.operatingExpensesBasis),
        noi_underwritten: show(figures.noiUnderwritten),
        noi_stabilized: show(figures.noiStabilized),
        cap_rate_underwritten: show(figures.capRateUnderwritten),
        out_noi: show(figures.noi),
        noi_source: show(figures.noiSource),
        cap_gap_pct: show(figures.capGapPct),
        underwrite_reliability: figures.reliability,
        rate_pct: figures.ratePct,
        dscr_status: figures.dscrStatus,
        loan: show(figures.loan),
        annual_debt_service: show(figures.annualDebtService),
        dscr: show(figures.dscr),
        dscr_underwritten: show(figures.dscrUnderwritten),
        noi_for_value: show(figures.noiForValue),
        noi_for_value_basis: show(figures.noiForValueBasis),
        arv_noi: show(figures.noiForArv),
        dscr_min: figures.minDscr,
      };
      for (const line of expenseLines) {
        const { amount = '-', basis } = expenses?.[line] ?? {};
        told[`expense_${line}`] = basis === 'stated' ? `${amount} stated` : amount;
      }
      for (const [name, text] of Object.entries(told)) {
        const written = deal.read(name);
        if (written !== undefined) assert.equal(text, written, `${deal.id} ${name}`);
      }
    }
  });

  it('have the offers of the sheet to the dollar', () => {
    for (const deal of workedDeals) {
      const { inputs, read } = deal;
      const offer = suggestOffer(
        figuresOf(deal),
        inputs.listPrice,
        Number(read('motivation_score') ?? 0),
        assumptionSet,
      );
      assert.ok(isKnown(offer), deal.id);
      const told = {
        max_price_at_target_cap: offer.value.maxPriceAtTargetCap,
        max_price_at_min_dscr: offer.value.maxPriceAtMinDscr,
        walk_away_price: offer.value.walkAwayPrice,
        opening_discount_pct: offer.value.openingDiscountPct,
        low: offer.value.low,
        mid: offer.value.mid,
        high: offer.value.high,
        binding_constraint: offer.value.bindingConstraint,
        headroom_pct: show(offer.value.headroomPct),
        discount_to_list_pct: show(offer.value.discountToListPct),
        target_met_at_list: show(offer.value.targetMetAtList),
      };
      for (const [name, text] of Object.entries(told)) assert.equal(text, read(`offer_${name}`), `${deal.id} ${name}`);
    }
  });
});
