//! A heap that counts, for tests that nothing is allocated.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;

pub struct Counting;

thread_local! {
    /// Of this thread alone: what the test harness does meanwhile is not counted.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count_one() {
    // a thread that ends has no counter any more
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

pub fn counted() -> usize {
    COUNT.with(Cell::get)
}

// SAFETY: hands every request on to the system's allocator and only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { Heap.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { Heap.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { Heap.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
