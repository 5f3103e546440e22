---- MODULE Claim ----
\* The claim of one authorization: who may send it, who is served, when it ends. See docs/decisions/payments.md.
\* test/model/claim.proof.ts checks it, and that each defect named by Bug breaks an invariant.
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS Attempts, Same, Thieves, Bug
\* those in Same send one request; a thief asks for something else
Req(a) == IF a \in Same THEN "r1" ELSE IF a \in Thieves THEN "r3" ELSE "r2"
VARIABLES chain, past, inFlight, failed, public, reorgs, restores, row, pc, served, delivered, everPaid, everSent, byUs
vars == <<chain, past, inFlight, failed, public, reorgs, restores, row, pc, served, delivered, everPaid, everSent, byUs>>
None == "nobody"
Empty == [state |-> "none", owner |-> None, leased |-> FALSE, binding |-> "r0", burnt |-> FALSE]
Init == /\ chain = "unused" /\ past = "open" /\ inFlight = FALSE /\ failed = 0 /\ public = FALSE
        /\ reorgs = 0 /\ restores = 0 /\ row = Empty
        /\ pc = [a \in Attempts |-> "start"] /\ served = {} /\ delivered = FALSE /\ everPaid = FALSE /\ everSent = FALSE /\ byUs = FALSE
Go(a, to) == pc' = [pc EXCEPT ![a] = to]
Open == row.state \in {"none", "released"}
\* written from the chain, and not sold yet
Rebuilt == row.state = "settled" /\ row.binding = "r0"
Payer(a) == a \notin Thieves
W == UNCHANGED <<byUs, chain, past, failed, public, reorgs, restores, everPaid>>   \* the world stands still
\* a thief knows the signature from what was mined, or was seen in a pool
Begins(a) == Payer(a) \/ public
Refuses == row.burnt /\ Bug # "burntAgain"
Verify(a) == /\ pc[a] = "start" /\ Begins(a) /\ (Open \/ Rebuilt)
             /\ IF chain = "paid"
                THEN Go(a, IF Payer(a) \/ Bug = "noProof" \/ (Bug = "rebuiltNoProof" /\ Rebuilt) THEN "verifiedElsewhere" ELSE "proofAsked")
                ELSE IF chain = "unused" /\ past = "open" /\ ~Refuses THEN Go(a, "verified") ELSE Go(a, "refusedBefore")
             /\ W /\ UNCHANGED <<inFlight, everSent, row, served, delivered>>
Known(a) == /\ pc[a] = "start" /\ Begins(a) /\ ~Open /\ ~Rebuilt /\ Go(a, "resume")
            /\ W /\ UNCHANGED <<inFlight, everSent, row, served, delivered>>
Claim(a) == /\ pc[a] \in {"verified", "verifiedElsewhere"}
            /\ IF Open \/ (Rebuilt /\ pc[a] = "verifiedElsewhere")
               THEN /\ row' = [row EXCEPT !.state = "claimed", !.owner = a, !.leased = TRUE,
                                          !.binding = IF Bug = "rebuiltTwice" /\ Rebuilt THEN "r0" ELSE Req(a)]
                    /\ Go(a, IF pc[a] = "verified" /\ ~Refuses THEN "claimed" ELSE "resolve")
               ELSE /\ Go(a, "resume") /\ UNCHANGED row
            /\ W /\ UNCHANGED <<inFlight, everSent, served, delivered>>
\* settling: the node has it, or may have it. doubt read as no is the bug
Send(a) == /\ pc[a] = "claimed"
           /\ \/ (Bug = "unfencedKeep" \/ (row.owner = a /\ row.state = "claimed")) /\ inFlight' = TRUE /\ everSent' = TRUE /\ Go(a, IF Bug = "servesFirst" THEN "outS" ELSE IF Bug = "doubtIsNo" THEN "outF" ELSE "settling")
              \/ UNCHANGED <<inFlight, everSent>> /\ Go(a, "outF")          \* a listed refusal: surely nothing was sent
              \/ ~(row.owner = a /\ row.state = "claimed") /\ UNCHANGED <<inFlight, everSent>> /\ Go(a, "outU")
           /\ W /\ UNCHANGED <<row, served, delivered>>
Outcome(a) == /\ pc[a] = "settling"
              /\ \/ chain = "paid" /\ Go(a, "outS")
                 \/ chain = "cancelled" /\ Go(a, "outF")
                 \/ failed > 0 /\ ~inFlight /\ chain = "unused" /\ Go(a, "outB")
                 \/ Go(a, "outU")
              /\ W /\ UNCHANGED <<inFlight, everSent, row, served, delivered>>
\* who takes an open payment over looks first at what was kept of it: mined without paying is the end of it
Resolve(a) == /\ pc[a] = "resolve"
              /\ \/ chain = "paid" /\ Go(a, "outS") /\ UNCHANGED <<inFlight, everSent>>
                 \/ chain = "cancelled" /\ Go(a, "outF") /\ UNCHANGED <<inFlight, everSent>>
                 \/ chain = "unused" /\ past = "final" /\ Go(a, "outF") /\ UNCHANGED <<inFlight, everSent>>
                 \/ chain = "unused" /\ past = "head" /\ Go(a, IF Bug = "headExpiry" THEN "outF" ELSE "outU") /\ UNCHANGED <<inFlight, everSent>>
                 \/ chain = "unused" /\ past = "open" /\ failed > 0 /\ ~inFlight /\ Bug # "forgetsFailure" /\ Go(a, "outB") /\ UNCHANGED <<inFlight, everSent>>
                 \/ chain = "unused" /\ past = "open" /\ ~Refuses /\ (Bug = "unfencedKeep" \/ (row.owner = a /\ row.state = "claimed")) /\ (inFlight \/ failed = 0 \/ Bug = "forgetsFailure") /\ Go(a, "again") /\ inFlight' = TRUE /\ everSent' = TRUE
                 \/ Go(a, "outU") /\ UNCHANGED <<inFlight, everSent>>
              /\ W /\ UNCHANGED <<row, served, delivered>>
Again(a) == /\ pc[a] = "again"
            /\ \/ chain = "paid" /\ Go(a, "outS")
               \/ failed > 0 /\ ~inFlight /\ chain = "unused" /\ Go(a, "outB")
               \/ Go(a, "outU")
            /\ W /\ UNCHANGED <<inFlight, everSent, row, served, delivered>>
Mine(a) == row.owner = a /\ row.state = "claimed"
Finish(a) == /\ pc[a] = "outS"
             /\ \/ /\ Mine(a)
                   /\ row' = [row EXCEPT !.state = "settled", !.leased = TRUE] /\ Go(a, "serve")
                \/ /\ ~Mine(a) /\ row.state \in {"claimed","settled"} /\ Go(a, "resume") /\ UNCHANGED row
                \/ /\ ~Mine(a) /\ Open /\ Go(a, "start") /\ UNCHANGED row
                \* the ledger is away: nobody else has ended a claim whose lease lasts
                \/ (Bug = "servesUnheld" \/ (Mine(a) /\ row.leased)) /\ Go(a, "serve") /\ UNCHANGED row
                \/ ~(Mine(a) /\ row.leased) /\ Go(a, "unknown") /\ UNCHANGED row
             /\ W /\ UNCHANGED <<inFlight, everSent, served, delivered>>
Release(a) == /\ pc[a] \in {"outF", "outB"}
              /\ IF Mine(a) \/ Bug = "unfencedRelease"
                 THEN row' = [row EXCEPT !.state = "released", !.owner = None, !.leased = FALSE, !.burnt = (pc[a] = "outB" \/ row.burnt)] /\ Go(a, "refused")
                 ELSE UNCHANGED row /\ Go(a, "unknown")
              /\ W /\ UNCHANGED <<inFlight, everSent, served, delivered>>
EndLease(a) == /\ pc[a] = "outU" /\ Go(a, "unknown")
               /\ row' = IF Mine(a) THEN [row EXCEPT !.leased = FALSE] ELSE row
               /\ W /\ UNCHANGED <<inFlight, everSent, served, delivered>>
Resume(a) == /\ pc[a] = "resume"
             /\ IF Open THEN Go(a, "start") /\ UNCHANGED row
                ELSE IF Req(a) # row.binding THEN Go(a, "used") /\ UNCHANGED row
                ELSE IF row.state = "settled" /\ delivered THEN Go(a, "used") /\ UNCHANGED row
                ELSE IF row.leased THEN Go(a, "busy") /\ UNCHANGED row
                ELSE /\ row' = [row EXCEPT !.owner = a, !.leased = TRUE]
                     /\ Go(a, IF row.state = "settled" THEN "serve" ELSE "resolve")
             /\ W /\ UNCHANGED <<inFlight, everSent, served, delivered>>
Serve(a) == /\ pc[a] = "serve" /\ served' = served \cup {a} /\ Go(a, "served")
            /\ delivered' \in {delivered, TRUE}
            /\ W /\ UNCHANGED <<inFlight, everSent, row>>
Final == {"served", "refused", "refusedBefore", "unknown", "used", "busy", "crashed", "proofAsked"}
Crash(a) == /\ pc[a] \notin Final \cup {"start"} /\ Go(a, "crashed") /\ W /\ UNCHANGED <<inFlight, everSent, row, served, delivered>>
Land == /\ inFlight /\ chain = "unused" /\ (past = "open" \/ (past = "head" /\ reorgs < 1 /\ restores = 0))
        /\ chain' = "paid" /\ everPaid' = TRUE /\ public' = TRUE /\ inFlight' = FALSE /\ byUs' = TRUE
        /\ reorgs' = IF past = "head" THEN reorgs + 1 ELSE reorgs
        /\ UNCHANGED <<past, failed, restores, everSent, row, pc, served, delivered>>
\* mined without paying: the payer's funds were gone, or its code refused
Fail == /\ inFlight /\ chain = "unused" /\ past = "open" /\ failed < 2
        /\ failed' = failed + 1 /\ inFlight' = FALSE /\ public' = TRUE
        /\ UNCHANGED <<byUs, chain, past, reorgs, restores, everPaid, everSent, row, pc, served, delivered>>
Other == /\ chain = "unused" /\ past = "open" /\ chain' \in {"paid", "cancelled"} /\ public' = TRUE
         /\ everPaid' = (everPaid \/ chain' = "paid") /\ UNCHANGED <<byUs, past, inFlight, failed, reorgs, restores, everSent, row, pc, served, delivered>>
Reorg == /\ chain = "paid" /\ byUs /\ past # "final" /\ reorgs < 1 /\ restores = 0 /\ everSent
         /\ chain' = "unused" /\ inFlight' = TRUE /\ reorgs' = reorgs + 1
         /\ UNCHANGED <<byUs, past, failed, public, restores, everPaid, everSent, row, pc, served, delivered>>
Passes == \/ past = "open" /\ past' = "head"
          \/ past = "head" /\ past' = "final"
TimePasses == Passes /\ UNCHANGED <<byUs, chain, inFlight, failed, public, reorgs, restores, everPaid, everSent, row, pc, served, delivered>>
\* the ledger comes back without the row; its instances are started anew, nothing of theirs is in flight any more (they wait)
Restore == /\ restores < 1 /\ failed = 0 /\ reorgs = 0 /\ row.state # "none" /\ (~inFlight \/ Bug = "sellsAtOnce")
           /\ restores' = 1 /\ row' = Empty /\ delivered' = FALSE /\ served' = {}
           /\ pc' = [a \in Attempts |-> IF pc[a] \in Final \cup {"start"} THEN pc[a] ELSE "crashed"]
           /\ UNCHANGED <<byUs, chain, past, inFlight, failed, public, reorgs, everPaid, everSent>>
\* a settled row for a transfer without any: no binding, no reply
Rebuild == /\ chain = "paid" /\ (row.state = "none" \/ Bug = "rebuildsOver")
           /\ row' = [Empty EXCEPT !.state = "settled", !.owner = "job"]
           /\ UNCHANGED <<byUs, chain, past, inFlight, failed, public, reorgs, restores, everPaid, everSent, pc, served, delivered>>
LeaseEnds == row.leased /\ row' = [row EXCEPT !.leased = FALSE] /\ UNCHANGED <<byUs, chain, past, inFlight, failed, public, reorgs, restores, everPaid, everSent, pc, served, delivered>>
Reconcile == /\ row.state = "claimed" /\ ~row.leased
             /\ \/ chain = "paid" /\ row' = [row EXCEPT !.state = "settled", !.owner = "job"]
                \/ (chain = "cancelled" \/ (chain = "unused" /\ (past = "final" \/ (past = "head" /\ Bug = "headExpiry"))))
                     /\ row' = [row EXCEPT !.state = "released", !.owner = "job"]
                \/ chain = "unused" /\ past = "open" /\ failed > 0 /\ ~inFlight /\ Bug # "forgetsFailure"
                     /\ row' = [row EXCEPT !.state = "released", !.owner = "job", !.burnt = TRUE]
             /\ UNCHANGED <<byUs, chain, past, inFlight, failed, public, reorgs, restores, everPaid, everSent, pc, served, delivered>>
\* a settled row that the chain has undone is open again
BookReorg == /\ row.state = "settled" /\ chain = "unused" /\ ~row.leased
             /\ row' = [row EXCEPT !.state = "claimed", !.owner = "job"]
             /\ UNCHANGED <<byUs, chain, past, inFlight, failed, public, reorgs, restores, everPaid, everSent, pc, served, delivered>>
Step(a) == Verify(a) \/ Known(a) \/ Claim(a) \/ Send(a) \/ Outcome(a) \/ Resolve(a) \/ Again(a) \/ Finish(a)
           \/ Release(a) \/ EndLease(a) \/ Resume(a) \/ Serve(a)
Next == (\E a \in Attempts : Step(a) \/ Crash(a)) \/ Land \/ Fail \/ Other \/ Reorg \/ TimePasses \/ Restore \/ Rebuild \/ LeaseEnds \/ Reconcile \/ BookReorg
Spec == Init /\ [][Next]_vars /\ WF_vars(Reconcile) /\ WF_vars(LeaseEnds) /\ WF_vars(TimePasses) /\ \A a \in Attempts : WF_vars(Step(a))
LiveSpec == Init /\ [][Next]_vars /\ SF_vars(Reconcile) /\ WF_vars(LeaseEnds) /\ WF_vars(TimePasses) /\ \A a \in Attempts : WF_vars(Step(a))
ServedIsPaid == served # {} => everPaid
\* of what this ledger has sold: a restored one does not know of what was sold before
\* three faults: it failed, a block was undone, and the ledger was away at the end
OneRequest == (failed = 0 \/ reorgs = 0) => \A a, b \in served : Req(a) = Req(b)
NoStranger == served \cap Thieves = {}
NoFreshAskOverOurs == row.state = "released" => ~(inFlight /\ chain = "unused" /\ past # "final" /\ (past = "open" \/ (reorgs < 1 /\ restores = 0)))
OneFailure == (restores = 0 /\ reorgs = 0) => failed <= 1
Ends == [](row.state = "claimed" => <>(row.state # "claimed"))
====
