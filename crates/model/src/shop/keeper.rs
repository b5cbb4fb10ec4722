//! The keeper in a shop with two servers, as a [`Model`] for the checker.
//!
//! This file is longer than most, because actions and their effects are read side by side.

use super::gateway::{Decision, Gateway, Money, due};
use super::{AGREES, FULFILLED_ONCE, GIVEN_UP_IS_UNPAID, PAID_IS_HELD, READS_TO_AGREE};
use payframe_order_keeper::{Goods, Input, Order, Output, Reading, Staff, Status};
use stateright::{Model, Property};

/// A search and its bounds.
#[derive(Clone, Debug)]
pub struct KeeperSetting {
    /// Presses of Pay, each in a tab of its own.
    pub presses: u8,
    /// Crashes of a server, lost or doubled notifications, unanswered reads.
    pub faults: u8,
    /// Whether staff may cancel the order.
    pub staff: bool,
    /// Whether answers in a row that settle nothing are counted up to the call for a person. If not, one represents all.
    pub counts_reads: bool,
    /// How the shop is broken, for tests of the search itself.
    pub broken: Option<BrokenShop>,
}

/// How a shop uses the keeper wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenShop {
    /// Outputs are written after the transaction: a crash loses them.
    OutputsForgotten,
    /// The row is not locked: what a server read before its call is written back after it.
    RowNotLocked,
    /// The form is shown as soon as the gateway has built it.
    FormBeforeKeeper,
    /// An answer is passed in with the newest ticket, not with its own.
    TicketOfTheRow,
    /// Attempts are reported as closed without a call to the gateway.
    ClosedByWord,
}

/// The order's row and the outbox beside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Row {
    order: Order,
    /// Attempts and their sessions at the gateway.
    sessions: Vec<(u32, usize)>,
    outbox: Vec<Output>,
}

/// The result that a server holds between its call and its transaction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum InHand {
    Built(u32, Option<usize>),
    Carried(Output),
    Answer(u32, Reading),
}

/// What a server does, and, with [`BrokenShop::RowNotLocked`], the row as it was before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Job {
    in_hand: InHand,
    unlocked: Option<Order>,
}

/// Shop and gateway, at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeeperWorld {
    gateway: Gateway,
    notifications: u8,
    row: Option<Row>,
    servers: [Option<Job>; 2],
    /// Sessions whose form is shown to the buyer.
    shown: Vec<usize>,
    fulfils: u8,
    releases: u8,
    presses: u8,
    faults: u8,
    timed_out: bool,
    cancelled: bool,
    had_two_charges: bool,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeeperAction {
    /// The buyer presses Pay in a new tab.
    Press,
    /// A server carries out an output: it makes the call.
    CarryOut(usize, Output),
    /// A server reads the order.
    Read(usize),
    /// A server writes its transaction.
    Commit(usize),
    /// The transaction is written, and the server dies before the outputs are. Only where that is possible.
    CommitWithoutOutputs(usize),
    /// A server crashes before it writes an answer.
    Crash(usize),
    /// The buyer pays in the form of a session.
    Pay(usize, Decision),
    /// The issuer decides about a pending payment.
    Decide(usize, Decision),
    /// A session reaches its time limit.
    Die(usize),
    /// A notification arrives.
    Deliver,
    /// A notification arrives, and will arrive again.
    DeliverTwice,
    /// A notification is lost.
    Lose,
    /// A read gets no answer.
    ReadFails,
    /// The shop waits no longer.
    TimeOut,
    /// Staff cancels the order.
    Cancel,
}

impl Model for KeeperSetting {
    type State = KeeperWorld;
    type Action = KeeperAction;

    fn init_states(&self) -> Vec<KeeperWorld> {
        vec![KeeperWorld {
            gateway: Gateway::default(),
            notifications: 0,
            row: None,
            servers: [None, None],
            shown: Vec::new(),
            fulfils: 0,
            releases: 0,
            presses: self.presses,
            faults: self.faults,
            timed_out: false,
            cancelled: false,
            had_two_charges: false,
        }]
    }

    fn actions(&self, world: &KeeperWorld, actions: &mut Vec<KeeperAction>) {
        if world.presses > 0 {
            actions.push(KeeperAction::Press);
        }
        for session in 0..world.gateway.sessions.len() {
            world.buyer_and_issuer(session, actions);
        }
        for server in 0..world.servers.len() {
            self.server(world, server, actions);
        }
        if world.notifications > 0 {
            actions.push(KeeperAction::Deliver);
            if world.faults > 0 {
                actions.extend([KeeperAction::DeliverTwice, KeeperAction::Lose]);
            }
        }
        if let Some(row) = &world.row {
            if row.order.asked().is_some() && world.faults > 0 {
                actions.push(KeeperAction::ReadFails);
            }
            if !world.timed_out {
                actions.push(KeeperAction::TimeOut);
            }
            if self.staff && !world.cancelled {
                actions.push(KeeperAction::Cancel);
            }
        }
    }

    fn next_state(&self, world: &KeeperWorld, action: KeeperAction) -> Option<KeeperWorld> {
        let mut world = world.clone();
        world.act(self, action)?;
        world.had_two_charges |= world.gateway.held() > 1;
        world.forget_numbers(self)?;
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::always(PAID_IS_HELD, |_, world: &KeeperWorld| {
                let is_paid = world.status() == Some(Status::Paid);
                !is_paid || world.gateway.held() > 0 || world.cancelled
            }),
            Property::always(FULFILLED_ONCE, |_, world: &KeeperWorld| {
                world.fulfils + world.releases <= 1
            }),
            Property::always(GIVEN_UP_IS_UNPAID, |_, world: &KeeperWorld| {
                world.status() != Some(Status::GivenUp) || world.gateway.held() == 0
            }),
            Property::always(AGREES, |setting, world: &KeeperWorld| {
                let ends = [Decision::Approved, Decision::Refused].map(|decision| {
                    world
                        .drain(setting, decision)
                        .is_some_and(|end| end.agrees())
                });
                ends == [true, true]
            }),
            Property::sometimes("given up", |_, world: &KeeperWorld| {
                world.status() == Some(Status::GivenUp)
            }),
            Property::sometimes("paid after the time-out", |_, world: &KeeperWorld| {
                world.timed_out && world.status() == Some(Status::Paid)
            }),
        ];
        if self.presses > 1 {
            properties.push(Property::sometimes(
                "a second charge is given back",
                |_, world: &KeeperWorld| {
                    world.had_two_charges && world.gateway.held() == 1 && world.is_settled()
                },
            ));
        }
        if self.staff {
            properties.push(Property::sometimes("refunded", |_, world: &KeeperWorld| {
                world.status() == Some(Status::Refunded)
            }));
        }
        properties
    }
}

impl KeeperSetting {
    fn server(&self, world: &KeeperWorld, server: usize, actions: &mut Vec<KeeperAction>) {
        if world.servers[server].is_some() {
            actions.push(KeeperAction::Commit(server));
            if world.faults > 0 {
                actions.push(KeeperAction::Crash(server));
                if self.broken == Some(BrokenShop::OutputsForgotten) {
                    actions.push(KeeperAction::CommitWithoutOutputs(server));
                }
            }
            return;
        }
        if server == 1 && world.servers[0].is_none() {
            return;
        }
        if let Some(row) = &world.row {
            let outbox = row.outbox.iter();
            actions.extend(outbox.map(|output| KeeperAction::CarryOut(server, *output)));
            if row.order.asked().is_some() {
                actions.push(KeeperAction::Read(server));
            }
        }
    }
}

impl KeeperWorld {
    fn status(&self) -> Option<Status> {
        self.row.as_ref().map(|row| row.order.status())
    }

    fn is_settled(&self) -> bool {
        let is_settled = |row: &Row| row.order.is_settled() && row.outbox.is_empty();
        self.row.as_ref().is_none_or(is_settled) && self.servers.iter().all(Option::is_none)
    }

    fn buyer_and_issuer(&self, session: usize, actions: &mut Vec<KeeperAction>) {
        match self.gateway.sessions[session] {
            Money::Open => {
                if self.shown.contains(&session) {
                    actions.extend(
                        [Decision::Approved, Decision::Refused, Decision::Undecided]
                            .map(|decision| KeeperAction::Pay(session, decision)),
                    );
                }
                actions.push(KeeperAction::Die(session));
            }
            Money::Undecided => actions.extend(
                [Decision::Approved, Decision::Refused]
                    .map(|decision| KeeperAction::Decide(session, decision)),
            ),
            Money::Held | Money::Returned | Money::Refused | Money::Closed => {}
        }
    }

    /// Of tickets, only the open one and whether others are older matter. So a shop that repeats its question stays in one state.
    fn forget_numbers(&mut self, setting: &KeeperSetting) -> Option<()> {
        const OLDER: u32 = 1;
        const NEWEST: u32 = 2;
        // Which of the two servers is idle makes no difference either.
        if self.servers[0].is_none() {
            self.servers.swap(0, 1);
        }
        let Some(row) = &mut self.row else {
            return Some(());
        };
        let mut order = row.order.snapshot();
        let asked = order.asked;
        let number = |ticket: u32| if Some(ticket) == asked { NEWEST } else { OLDER };
        for job in self.servers.iter_mut().flatten() {
            if let InHand::Answer(ticket, _) = &mut job.in_hand {
                *ticket = number(*ticket);
            }
        }
        order.asked = asked.map(number);
        order.tickets = NEWEST;
        if !setting.counts_reads {
            order.reads = order.reads.min(1);
        }
        row.order = Order::restore(order).ok()?;
        Some(())
    }

    /// `None` if it can not happen.
    fn act(&mut self, setting: &KeeperSetting, action: KeeperAction) -> Option<()> {
        match action {
            KeeperAction::Press => {
                self.presses -= 1;
                if self.row.is_none() {
                    self.row = Some(Row {
                        order: Order::new(due()?).ok()?,
                        sessions: Vec::new(),
                        outbox: Vec::new(),
                    });
                }
                self.step(Input::AttemptWanted);
            }
            KeeperAction::CarryOut(server, output) => self.carry_out(setting, server, output)?,
            KeeperAction::Read(server) => {
                let ticket = self.row.as_ref()?.order.asked()?;
                let in_hand = InHand::Answer(ticket, self.gateway.reading()?);
                self.take(setting, server, in_hand);
            }
            KeeperAction::Commit(server) => self.commit(setting, server)?,
            KeeperAction::CommitWithoutOutputs(server) => {
                let before = self.row.as_ref()?.outbox.clone();
                self.commit(setting, server)?;
                self.row.as_mut()?.outbox = before;
                self.faults -= 1;
            }
            KeeperAction::Crash(server) => {
                self.servers[server] = None;
                self.faults -= 1;
            }
            KeeperAction::Pay(session, decision) | KeeperAction::Decide(session, decision) => {
                self.gateway.decide(session, decision);
                self.notifications += 1;
            }
            KeeperAction::Die(session) => self.gateway.close(session),
            KeeperAction::Deliver => {
                self.notifications -= 1;
                self.step(Input::Notification);
            }
            KeeperAction::DeliverTwice => {
                self.faults -= 1;
                self.step(Input::Notification);
            }
            KeeperAction::Lose => {
                self.notifications -= 1;
                self.faults -= 1;
            }
            KeeperAction::ReadFails => {
                let ticket = self.row.as_ref()?.order.asked()?;
                self.faults -= 1;
                self.step(Input::ReadFailed { ticket });
            }
            KeeperAction::TimeOut => {
                self.timed_out = true;
                self.step(Input::TimeOut);
            }
            KeeperAction::Cancel => {
                self.cancelled = true;
                self.step(Input::Staff(Staff::Cancel));
            }
        }
        Some(())
    }

    fn take(&mut self, setting: &KeeperSetting, server: usize, in_hand: InHand) {
        let is_unlocked = setting.broken == Some(BrokenShop::RowNotLocked);
        let order = self.row.as_ref().map(|row| row.order.clone());
        self.servers[server] = Some(Job {
            in_hand,
            unlocked: order.filter(|_| is_unlocked),
        });
    }

    /// The call of an output. The output stays in the outbox until its answer is written; only the request that
    /// waits for a form carries out its own build call, once.
    fn carry_out(&mut self, setting: &KeeperSetting, server: usize, output: Output) -> Option<()> {
        let row = self.row.as_mut()?;
        let in_hand = match output {
            Output::OpenAttempt(number) => {
                row.outbox.retain(|one| *one != output);
                let session = self.gateway.build();
                if setting.broken == Some(BrokenShop::FormBeforeKeeper) {
                    self.shown.extend(session);
                }
                InHand::Built(number, session)
            }
            Output::CloseAttempt(number) => {
                let session = row.sessions.iter().find(|(known, _)| *known == number);
                if let Some((_, session)) = session
                    && setting.broken != Some(BrokenShop::ClosedByWord)
                {
                    self.gateway.close(*session);
                }
                InHand::Carried(output)
            }
            Output::GiveBack { operation, .. } => {
                self.gateway.give_back(operation);
                self.notifications += 1;
                InHand::Carried(output)
            }
            _ => InHand::Carried(output),
        };
        self.take(setting, server, in_hand);
        Some(())
    }

    /// The transaction with the answer.
    fn commit(&mut self, setting: &KeeperSetting, server: usize) -> Option<()> {
        let job = self.servers[server].take()?;
        let row = self.row.as_mut()?;
        if let Some(order) = job.unlocked {
            row.order = order;
        }
        match job.in_hand {
            InHand::Built(number, Some(session)) => {
                row.sessions.push((number, session));
                self.step(Input::AttemptOpened(number));
            }
            // A payment was approved: reason enough to read.
            InHand::Built(_, None) => self.step(Input::Feed),
            InHand::Carried(output) => {
                row.outbox.retain(|one| *one != output);
                if let Output::CloseAttempt(number) = output {
                    self.step(Input::AttemptClosed(number));
                }
            }
            InHand::Answer(ticket, reading) => {
                let newest = row.order.asked().unwrap_or(ticket);
                let is_broken = setting.broken == Some(BrokenShop::TicketOfTheRow);
                let ticket = if is_broken { newest } else { ticket };
                self.step(Input::Read { ticket, reading });
            }
        }
        Some(())
    }

    /// One transaction: the order, and its outputs.
    fn step(&mut self, input: Input) {
        let Some(row) = &mut self.row else {
            return;
        };
        let (order, outputs) = row.order.clone().step(input);
        row.order = order;
        for output in outputs {
            match output {
                Output::Fulfil => self.fulfils += 1,
                Output::ReleaseStock => self.releases += 1,
                Output::ShowForm(number) => {
                    let session = row.sessions.iter().find(|(known, _)| *known == number);
                    self.shown.extend(session.map(|(_, session)| *session));
                }
                Output::Ask { .. } | Output::RefuseAttempt(_) | Output::CallPerson(_) => {}
                Output::OpenAttempt(_) | Output::CloseAttempt(_) | Output::GiveBack { .. } => {
                    row.outbox.push(output);
                    row.outbox.sort_unstable();
                    row.outbox.dedup();
                }
            }
        }
    }

    /// The final state without further faults: the issuer decides, the shop's time limit passes, and the outbox and the
    /// question are processed. `None` if that takes more reads than stated.
    fn drain(&self, setting: &KeeperSetting, decision: Decision) -> Option<KeeperWorld> {
        let mut world = self.clone();
        for session in 0..world.gateway.sessions.len() {
            if world.gateway.sessions[session] == Money::Undecided {
                world.gateway.decide(session, decision);
            }
        }
        if !world.timed_out {
            world.act(setting, KeeperAction::TimeOut)?;
        }
        let mut reads = 0;
        loop {
            let row = world.row.as_ref();
            let output = row.and_then(|row| row.outbox.first().copied());
            let server = world.servers.iter().position(Option::is_some);
            if let Some(server) = server {
                world.act(setting, KeeperAction::Commit(server))?;
            } else if let Some(output) = output {
                world.act(setting, KeeperAction::CarryOut(0, output))?;
            } else if row.is_some_and(|row| row.order.asked().is_some()) {
                reads += 1;
                if reads > READS_TO_AGREE {
                    return None;
                }
                world.act(setting, KeeperAction::Read(0))?;
            } else {
                return Some(world);
            }
        }
    }

    /// Whether the records of both agree, and the goods are in the right state.
    fn agrees(&self) -> bool {
        let held = self.gateway.held();
        let Some(row) = &self.row else {
            return held == 0;
        };
        let goods = row.order.goods();
        match row.order.status() {
            Status::Paid => held == 1 && goods == Goods::Fulfilled && self.fulfils == 1,
            Status::GivenUp => held == 0 && goods == Goods::Released && self.releases == 1,
            Status::Refunded => held == 0 && self.fulfils + self.releases == 1,
            _ => false,
        }
    }
}
